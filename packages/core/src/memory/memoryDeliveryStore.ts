/** DeliveryStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import { deliversName } from "../domains/people/renameBounds.ts"
import { MemoryPeople } from "./MemoryPeople.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"
import { Settings } from "../instance/Settings.ts"
import { toCursorPage } from "../values/pages/CursorPage.ts"
import type { Delivery } from "../tenants/webhooks/Delivery.ts"
import { DeliveryStore } from "../tenants/webhooks/DeliveryStore.ts"

/** Evicts the oldest ended delivery when there are more than `Settings.maxDeliveries`. */
export const memoryDeliveryStore: Layer.Layer<DeliveryStore, never, MemoryJournal> = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const { maxDeliveries } = yield* Settings
    const table = makeMemoryTable<string, Delivery>(yield* MemoryJournal)
    const people = yield* MemoryPeople
    people.register((renaming) =>
      table.edit((draft) => {
        const named = Array.from(table.rows.values()).filter(
          (each) => each.account === renaming.account && deliversName(each, renaming)
        )
        for (const { id } of named) draft.delete(id)
        return named.length
      })
    )
    return {
      add: (delivery) =>
        table.edit((draft) => {
          if (draft.has(delivery.id)) return false
          draft.set(delivery.id, delivery)
          if (table.rows.size > maxDeliveries) {
            for (const { id, state } of table.rows.values()) {
              if (state === "pending") continue
              draft.delete(id)
              break
            }
          }
          return true
        }),
      find: (id) => Effect.sync(() => table.rows.get(id)),
      replace: (version, after) =>
        table.edit((draft) => {
          if (draft.get(after.id)?.version !== version) return false
          draft.set(after.id, after)
          return true
        }),
      list: (account, { state, workspace }, cursor) =>
        Effect.sync(() =>
          toCursorPage(
            Iterable.filter(
              table.newestFirst(cursor.after),
              ({ row }) =>
                row.account === account &&
                (workspace === undefined || row.workspace === workspace) &&
                (state === undefined || row.state === state)
            ),
            cursor
          )
        ),
      purgeEnded: (before) =>
        table.edit((draft) => {
          for (const { endedAt = Infinity, id } of table.rows.values()) {
            if (endedAt < before) draft.delete(id)
          }
        })
    }
  })
)
