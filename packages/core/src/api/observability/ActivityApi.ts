/** Operations on the activity of an account by day, as OpenRouter's clients read it. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { authenticatedErrors, Authentication, BadRequest } from "../contract/ErrorEnvelope.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { textParameter } from "../contract/queryParameters.ts"

/** What an endpoint answered on one day. */
const ActivityItem = Schema.Struct({
  /** The day in UTC. */
  date: Schema.String,
  endpoint_id: Schema.String,
  model: Schema.String,
  model_permaslug: Schema.String,
  provider_name: Schema.String,
  /** Requests that it answered. */
  requests: Schema.Int,
  prompt_tokens: Schema.Finite,
  completion_tokens: Schema.Finite,
  reasoning_tokens: Schema.Finite,
  /** USD. */
  usage: Schema.Finite,
  /** USD that providers billed to the owners of credentials. */
  byok_usage_inference: Schema.Finite
})

export const ActivityResponse = Schema.Struct({ data: Schema.Array(ActivityItem) })

const unsupported = "Not supported: answered with 400. See `GET /signalbox/series`."

export class ActivityApi extends HttpApiGroup.make("activity")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/activity", {
      query: {
        date: textParameter("One of the last 30 days in UTC, such as 2026-11-01. Default: all."),
        api_key_hash: textParameter(unsupported),
        user_id: textParameter(unsupported),
        workspace_id: textParameter(unsupported),
        group_by: textParameter(unsupported)
      },
      success: ActivityResponse,
      error: [...authenticatedErrors, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "Get what the endpoints answered for the account on each of the last 30 completed days."
    )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Activity") {}
