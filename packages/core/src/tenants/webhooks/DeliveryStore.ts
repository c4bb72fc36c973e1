/** Stores deliveries until the retention after their end. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../../values/ids/Ids.ts"
import type { CursorRequest, CursorPage } from "../../values/pages/CursorPage.ts"
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
>()("@signalbox/core/tenants/webhooks/DeliveryStore") {}
