/** AlertRuleStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AlertRule } from "../domains/alerts/AlertRule.ts"
import { AlertRuleStore } from "../domains/alerts/AlertRuleStore.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"
import { listOwned, makeOwnedStore, type OwnedRow } from "./ownedRows.ts"
import { MemoryJournal } from "./MemoryJournal.ts"

export const memoryAlertRuleStore: Layer.Layer<AlertRuleStore, never, MemoryJournal> = Layer.effect(
  AlertRuleStore,
  MemoryJournal.useSync((journal) => {
    const table = makeMemoryTable<string, OwnedRow<AlertRule>>(journal)
    return {
      ...makeOwnedStore(table),
      listAll: (account) => Effect.sync(() => listOwned(table.rows, account))
    }
  })
)
