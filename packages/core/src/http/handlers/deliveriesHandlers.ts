/** Handlers of what became of events. */
import * as Effect from "effect/Effect"
import { deliveryStates } from "../../webhooks/Delivery.ts"
import { Deliveries } from "../../webhooks/Deliveries.ts"
import { type DeliveriesApi, toldDelivery, toldInFull } from "../api/DeliveriesApi.ts"
import type { Handlers } from "../Asked.ts"
import { jsonAnswer } from "../jsonAnswer.ts"
import { managed } from "../managed.ts"
import { type ParameterReader, readParameters } from "../Parameters.ts"
import { readScroll } from "../readPage.ts"
import { scrolledAnswer } from "../scrolledAnswer.ts"

export const deliveriesHandlers = Effect.gen(function* () {
  const deliveries = yield* Deliveries

  return {
    list: managed(({ caller, query }) =>
      Effect.flatMap(Effect.fromResult(readParameters(query, readQuery)), ({ filter, scroll }) =>
        Effect.map(deliveries.list(caller, filter, scroll), (page) =>
          scrolledAnswer(page, toldDelivery)
        )
      )
    ),
    get: managed(({ caller, params }) =>
      Effect.map(deliveries.find(caller, params["id"] ?? ""), (delivery) =>
        jsonAnswer({ data: toldInFull(delivery) })
      )
    ),
    redeliver: managed(({ caller, params }) =>
      Effect.map(deliveries.redeliver(caller, params["id"] ?? ""), (delivery) =>
        jsonAnswer({ data: toldInFull(delivery) }, 202)
      )
    )
  } satisfies Handlers<typeof DeliveriesApi>
})

const readQuery = (read: ParameterReader) => {
  const workspace = read.text("workspace_id")
  const state = read.oneOf("state", deliveryStates)
  return {
    scroll: readScroll(read),
    filter: {
      ...(workspace === undefined ? undefined : { workspace }),
      ...(state === undefined ? undefined : { state })
    }
  }
}
