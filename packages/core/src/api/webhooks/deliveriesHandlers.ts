/** Handlers of the delivery operations. */
import * as Effect from "effect/Effect"
import { Deliveries } from "../../tenants/webhooks/Deliveries.ts"
import {
  type DeliveriesApi,
  toDeliveryDetailResponse,
  toDeliveryResponse
} from "./DeliveriesApi.ts"
import { toCursorPageResponse } from "../contract/envelopes.ts"
import { toCursorRequest } from "../contract/pageQueries.ts"
import type { Handlers } from "../operation/Handler.ts"

export const deliveriesHandlers = Effect.gen(function* () {
  const deliveries = yield* Deliveries

  return {
    list: ({ query }, { caller }) => {
      const { state, workspace_id: workspace } = query
      const filter = {
        ...(workspace === undefined ? undefined : { workspace }),
        ...(state === undefined ? undefined : { state })
      }
      return Effect.map(deliveries.list(caller, filter, toCursorRequest(query)), (page) =>
        toCursorPageResponse(page, toDeliveryResponse)
      )
    },
    get: ({ params }, { caller }) =>
      Effect.map(deliveries.get(caller, params.id), (delivery) => ({
        data: toDeliveryDetailResponse(delivery)
      })),
    redeliver: ({ params }, { caller }) =>
      Effect.map(deliveries.redeliver(caller, params.id), (delivery) => ({
        data: toDeliveryDetailResponse(delivery)
      }))
  } satisfies Handlers<typeof DeliveriesApi>
})
