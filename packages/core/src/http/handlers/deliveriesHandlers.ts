/** Handlers of what became of events. */
import * as Effect from "effect/Effect"
import { deliveryStates } from "../../webhooks/Delivery.ts"
import { Deliveries } from "../../webhooks/Deliveries.ts"
import {
  type DeliveriesApi,
  toDeliveryResponse,
  toDeliveryDetailResponse
} from "../api/DeliveriesApi.ts"
import type { Handlers } from "../legacyHandlers.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { requireManagementKey } from "../requireManagementKey.ts"
import { type ParameterReader, parseParameters } from "../QueryParameters.ts"
import { readCursorRequest } from "../readPage.ts"
import { cursorPageResponse } from "../cursorPageResponse.ts"

export const deliveriesHandlers = Effect.gen(function* () {
  const deliveries = yield* Deliveries

  return {
    list: requireManagementKey(({ caller, query }) =>
      Effect.flatMap(Effect.fromResult(parseParameters(query, readQuery)), ({ filter, scroll }) =>
        Effect.map(deliveries.list(caller, filter, scroll), (page) =>
          cursorPageResponse(page, toDeliveryResponse)
        )
      )
    ),
    get: requireManagementKey(({ caller, params }) =>
      Effect.map(deliveries.find(caller, params["id"] ?? ""), (delivery) =>
        jsonResponse({ data: toDeliveryDetailResponse(delivery) })
      )
    ),
    redeliver: requireManagementKey(({ caller, params }) =>
      Effect.map(deliveries.redeliver(caller, params["id"] ?? ""), (delivery) =>
        jsonResponse({ data: toDeliveryDetailResponse(delivery) }, 202)
      )
    )
  } satisfies Handlers<typeof DeliveriesApi>
})

const readQuery = (read: ParameterReader) => {
  const workspace = read.text("workspace_id")
  const state = read.oneOf("state", deliveryStates)
  return {
    scroll: readCursorRequest(read),
    filter: {
      ...(workspace === undefined ? undefined : { workspace }),
      ...(state === undefined ? undefined : { state })
    }
  }
}
