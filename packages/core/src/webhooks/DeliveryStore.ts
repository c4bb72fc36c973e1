/** Stores deliveries until the retention after their end. A port. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { makeMemoryTable } from "../makeMemoryTable.ts"
import { Settings } from "../Settings.ts"
import type { AccountId } from "../values/ids/AccountId.ts"
import { type CursorRequest, type CursorPage, toCursorPage } from "../values/pages/CursorPage.ts"
import type { Delivery, DeliveryState } from "./Delivery.ts"

/** Selects deliveries of an account. */
export interface DeliveryFilter {
  readonly workspace?: string
  readonly state?: DeliveryState
}

/** Stores deliveries. */
export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /** Race: of concurrent adds with one id, one succeeds; the others return false and change nothing. */
    readonly add: (delivery: Delivery) => Effect.Effect<boolean>
    readonly find: (id: string) => Effect.Effect<Delivery | undefined>
    /** Race: returns false and changes nothing unless the stored version is `version`. */
    readonly replace: (version: number, after: Delivery) => Effect.Effect<boolean>
    /** The latest first; the cost must not grow with the number of deliveries. */
    readonly list: (
      account: AccountId,
      filter: DeliveryFilter,
      cursor: CursorRequest
    ) => Effect.Effect<CursorPage<Delivery>>
    /** Deletes deliveries that ended before this time, in milliseconds since the epoch. */
    readonly purgeEnded: (before: number) => Effect.Effect<void>
  }
>()("@signalbox/core/webhooks/DeliveryStore") {
  /** Evicts the oldest ended delivery when there are more than `Settings.maxDeliveries`. */
  static readonly layerMemory: Layer.Layer<DeliveryStore, never, MemoryJournal> = Layer.effect(
    DeliveryStore,
    Effect.gen(function* () {
      const { maxDeliveries } = yield* Settings
      const table = makeMemoryTable<string, Delivery>(yield* MemoryJournal)
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
}
