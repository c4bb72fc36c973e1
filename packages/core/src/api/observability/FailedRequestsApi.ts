/** Operations on requests that failed before they were routed. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import type { FailedRequest } from "../../engine/observability/failures/FailedRequest.ts"
import { authenticatedErrors, Authentication, BadRequest } from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { cursorQuery } from "../contract/pageQueries.ts"
import { integerParameter, textParameter } from "../contract/queryParameters.ts"

const Text = Schema.NullOr(Schema.String)

/** A request that failed before it was routed. */
export const FailedRequestResponse = Schema.Struct({
  /** The `x-request-id` of the response. A client may have chosen it. */
  request_id: Schema.String,
  /** ISO 8601. */
  created_at: Schema.String,
  /** HTTP status of the response. */
  status: Schema.Int,
  /** `metadata.error_type` of the error; null if it has none. */
  error_type: Text,
  /** `metadata.reason` of the error; null if it has none. */
  reason: Text,
  /** At most 200 characters, without keys. */
  message: Schema.String,
  method: Schema.String,
  /** Such as `keys.create`; null if no operation matches. */
  operation: Text,
  /** Path of the operation, with parameters as `:name`; null if no operation matches. */
  path: Text,
  /** Null if the request was not authenticated. */
  workspace_id: Text,
  /** Hash of the key; null without a key, or if the request was not authenticated. */
  key_hash: Text,
  /** The member; null without one, or if the request was not authenticated. */
  user_id: Text,
  /** At most 200 characters; null if the request had none. */
  user_agent: Text
})

export const toFailedRequestResponse = (
  failed: FailedRequest
): typeof FailedRequestResponse.Type => ({
  request_id: failed.requestId,
  created_at: new Date(failed.at).toISOString(),
  status: failed.status,
  error_type: failed.type ?? null,
  reason: failed.reason ?? null,
  message: failed.message,
  method: failed.method,
  operation: failed.operation ?? null,
  path: failed.path ?? null,
  workspace_id: failed.caller?.workspace ?? null,
  key_hash: failed.caller?.keyHash ?? null,
  user_id: failed.caller?.user ?? null,
  user_agent: failed.userAgent ?? null
})

export class FailedRequestsApi extends HttpApiGroup.make("failedRequests")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/signalbox/failed-requests", {
      query: {
        request_id: textParameter("The `x-request-id` of a response."),
        status: integerParameter({
          minimum: 400,
          maximum: 599,
          description: "HTTP status of the responses."
        }),
        limit: cursorQuery.limit
      },
      success: dataEnvelope(Schema.Array(FailedRequestResponse)),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "List the latest requests of the account that failed before they were routed, without their content. The host's own account also sees those that were not authenticated."
    )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Failed requests") {}
