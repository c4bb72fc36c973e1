/** Operations on webhook deliveries. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { redactUrlQuery } from "../../engine/secrets/redact.ts"
import {
  type Delivery,
  type DeliveryAttempt,
  deliveryErrors,
  deliveryStates
} from "../../tenants/webhooks/Delivery.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { literalParameter, textParameter } from "../contract/queryParameters.ts"
import { Authentication, BadRequest, resourceErrors } from "../contract/ErrorEnvelope.ts"
import { dataEnvelope, cursorPageEnvelope } from "../contract/envelopes.ts"
import { cursorQuery } from "../contract/pageQueries.ts"

const DeliveryAttemptResponse = Schema.Struct({
  /** Start of the attempt, ISO 8601. */
  at: Schema.String,
  duration_ms: Schema.Int,
  /** HTTP status of the receiver; null without a response. */
  status: Schema.NullOr(Schema.Int),
  /** Why there was no response; null with one. */
  error: Schema.NullOr(Schema.Literals(deliveryErrors))
})

const DeliveryResponse = Schema.Struct({
  /** The `webhook-id` header of the request to the receiver. */
  id: Schema.String,
  workspace_id: Schema.String,
  /** Type of the event, such as `video.generation.completed`. */
  type: Schema.String,
  /** URL of the receiver, without its query. */
  url: Schema.String,
  state: Schema.Literals(deliveryStates),
  /** ISO 8601. */
  created_at: Schema.String,
  /** ISO 8601; null when no further attempt is scheduled. */
  next_attempt_at: Schema.NullOr(Schema.String),
  /** ISO 8601; null while the delivery is pending. */
  ended_at: Schema.NullOr(Schema.String),
  /** Null before the first attempt. */
  last_attempt: Schema.NullOr(DeliveryAttemptResponse)
})

const DeliveryDetailResponse = Schema.Struct({
  ...DeliveryResponse.fields,
  /** Latest 50 attempts, oldest first. */
  attempts: Schema.Array(DeliveryAttemptResponse),
  /** Body of the request to the receiver. */
  body: Schema.String
})

const toIsoString = (millis: number): string => new Date(millis).toISOString()

const toDeliveryAttemptResponse = ({
  at,
  durationMillis,
  error,
  status
}: DeliveryAttempt): typeof DeliveryAttemptResponse.Type => ({
  at: toIsoString(at),
  duration_ms: durationMillis,
  status: status ?? null,
  error: error ?? null
})

export const toDeliveryResponse = (delivery: Delivery): typeof DeliveryResponse.Type => {
  const { attempts, endedAt, nextAttemptAt } = delivery
  const last = attempts.at(-1)
  return {
    id: delivery.id,
    workspace_id: delivery.workspace,
    type: delivery.type,
    url: redactUrlQuery(delivery.url),
    state: delivery.state,
    created_at: toIsoString(delivery.createdAt),
    next_attempt_at: nextAttemptAt === undefined ? null : toIsoString(nextAttemptAt),
    ended_at: endedAt === undefined ? null : toIsoString(endedAt),
    last_attempt: last === undefined ? null : toDeliveryAttemptResponse(last)
  }
}

export const toDeliveryDetailResponse = (
  delivery: Delivery
): typeof DeliveryDetailResponse.Type => ({
  ...toDeliveryResponse(delivery),
  attempts: delivery.attempts.map(toDeliveryAttemptResponse),
  body: delivery.body
})

const path = "/api/v1/signalbox/deliveries"
const idParams = { id: Schema.String }

export class DeliveriesApi extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: {
        ...cursorQuery,
        workspace_id: textParameter("Id or slug of a workspace. Default: all workspaces."),
        state: literalParameter(deliveryStates, "State of the deliveries. Default: any.")
      },
      success: cursorPageEnvelope(DeliveryResponse),
      error: [...resourceErrors, BadRequest]
    }).annotate(OpenApi.Summary, "List webhook deliveries, newest first."),
    HttpApiEndpoint.get("get", `${path}/:id`, {
      params: idParams,
      success: dataEnvelope(DeliveryDetailResponse),
      error: resourceErrors
    }).annotate(OpenApi.Summary, "Get a webhook delivery with its attempts."),
    HttpApiEndpoint.post("redeliver", `${path}/:id/redeliver`, {
      params: idParams,
      success: dataEnvelope(DeliveryDetailResponse).annotate({ httpApiStatus: 202 }),
      error: resourceErrors
    }).annotate(OpenApi.Summary, "Redeliver an event immediately, with a new retry schedule.")
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Deliveries") {}
