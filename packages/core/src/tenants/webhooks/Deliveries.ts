/** Accepts events for delivery, lists deliveries, and redelivers them on request. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Actor } from "../../values/Actor.ts"
import type { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { CursorPage, CursorRequest } from "../../values/pages/CursorPage.ts"
import type { Delivery, WebhookEvent } from "./Delivery.ts"
import type { DeliveryFilter } from "./DeliveryStore.ts"

/** Deliveries of events to webhooks. */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    /**
     * Joins the transaction around it: the event is delivered if that commits. False when the workspace has no
     * callback URL, or the event was offered before. Dies when the id of the event is invalid.
     */
    readonly offer: (event: WebhookEvent) => Effect.Effect<boolean>
    /** The account's deliveries, the latest first; `workspace` is an id or a slug. */
    readonly list: (
      actor: Actor,
      filter: DeliveryFilter,
      cursor: CursorRequest
    ) => Effect.Effect<CursorPage<Delivery>, ResourceNotFound>
    /** A delivery of another account is not found. */
    readonly get: (actor: Actor, id: string) => Effect.Effect<Delivery, ResourceNotFound>
    /** Restarts the schedule at once, in any state; a delivery that is due already stays as it is. */
    readonly redeliver: (actor: Actor, id: string) => Effect.Effect<Delivery, ResourceNotFound>
  }
>()("@signalbox/core/tenants/webhooks/Deliveries") {
  static readonly layer = layerOnDemand(
    Deliveries,
    {
      offer: "call",
      list: "call",
      get: "call",
      redeliver: "call"
    },
    importNamed(() => import("./layerDeliveries.ts"), "layerDeliveries")
  )
}
