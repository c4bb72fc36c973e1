/** Where deliveries are kept, until some time after they ended. */
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

/** Which deliveries of an account are listed. */
export interface DeliveryFilter {
  readonly workspace?: string
  readonly state?: DeliveryState
}

/** Keeps events until their receivers take them. */
export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /** Race: of several with one id one is kept; false, and nothing is done, for the others. */
    readonly add: (delivery: Delivery) => Effect.Effect<boolean>
    readonly find: (id: string) => Effect.Effect<Delivery | undefined>
    /** Race: false, and nothing is done, unless the one there is has this turn. */
    readonly replace: (version: number, after: Delivery) => Effect.Effect<boolean>
    /** The latest first, at the same cost however many there are. */
    readonly list: (
      account: AccountId,
      filter: DeliveryFilter,
      scroll: CursorRequest
    ) => Effect.Effect<CursorPage<Delivery>>
    /** Forgets those that ended before this time, in milliseconds since the epoch. */
    readonly purgeEnded: (before: number) => Effect.Effect<void>
  }
>()("@signalbox/core/webhooks/DeliveryStore") {
  /** Forgets the oldest that ended when there are more than `Settings.maxDeliveries`. */
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
        replace: (turn, after) =>
          table.edit((draft) => {
            if (draft.get(after.id)?.version !== turn) return false
            draft.set(after.id, after)
            return true
          }),
        list: (account, { state, workspace }, scroll) =>
          Effect.sync(() =>
            toCursorPage(
              Iterable.filter(
                table.newestFirst(scroll.after),
                ({ row }) =>
                  row.account === account &&
                  (workspace === undefined || row.workspace === workspace) &&
                  (state === undefined || row.state === state)
              ),
              scroll
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
