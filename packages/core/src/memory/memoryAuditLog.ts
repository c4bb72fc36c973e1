/** AuditLog in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { renameAuditEntry } from "../domains/people/renameRecords.ts"
import { MemoryPeople } from "./MemoryPeople.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { Settings } from "../instance/Settings.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"
import type { AccountId } from "../values/ids/Ids.ts"
import { type CursorRow, toCursorPage } from "../values/pages/CursorPage.ts"
import { AuditLog, type AuditEntry } from "../engine/observability/audit/AuditLog.ts"

/**
 * Keeps the latest `Settings.maxAuditEntriesPerAccount` entries of each account.
 */
export const memoryAuditLog: Layer.Layer<AuditLog, never, MemoryJournal> = Layer.effect(
  AuditLog,
  Effect.gen(function* () {
    const { maxAuditEntriesPerAccount } = yield* Settings
    /** Oldest first. */
    const table = makeMemoryTable<AccountId, ReadonlyArray<CursorRow<AuditEntry>>>(
      yield* MemoryJournal
    )
    const people = yield* MemoryPeople
    people.register((renaming) =>
      table.edit((draft) => {
        const entries = draft.get(renaming.account) ?? []
        const renamed = entries.map((entry) => {
          const row = renameAuditEntry(entry.row, renaming)
          return row === entry.row ? entry : { ...entry, row }
        })
        const changed = renamed.filter((entry, at) => entry !== entries[at]).length
        if (changed > 0) draft.set(renaming.account, renamed)
        return changed
      })
    )
    return {
      append: (entry) =>
        table.edit((draft) => {
          const entries = draft.get(entry.account) ?? []
          const cursor = (entries.at(-1)?.cursor ?? 0) + 1
          draft.set(
            entry.account,
            [...entries, { cursor, row: entry }].slice(-maxAuditEntriesPerAccount)
          )
        }),
      list: (account, cursor) =>
        Effect.sync(() => toCursorPage((table.rows.get(account) ?? []).toReversed(), cursor))
    }
  })
)
