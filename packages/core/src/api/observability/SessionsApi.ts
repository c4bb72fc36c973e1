/** Operations on sessions: the requests with one `session_id`, altogether. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { maxSessionNames } from "../../engine/observability/generations/SessionSummary.ts"
import { authenticatedErrors, Authentication, BadRequest } from "../contract/ErrorEnvelope.ts"
import { cursorPageEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { cursorQuery, sessionCursorParameter } from "../contract/pageQueries.ts"
import { textParameter, timeParameter } from "../contract/queryParameters.ts"
import { maxSortedDays } from "./checkSortedTime.ts"

/** The requests of a session that match. Lists of names have the most used first. */
export const SessionResponse = Schema.Struct({
  /** The `session_id` of its requests. Other workspaces may have a session of the same id. */
  id: Schema.String,
  workspace_id: Schema.String,
  /** When its first request began, in ISO 8601. */
  first_request_at: Schema.String,
  /** When its last request began, in ISO 8601. */
  last_request_at: Schema.String,
  requests: Schema.Int,
  /** Requests that were not answered. */
  failed_requests: Schema.Int,
  /** USD; requests of unknown cost add nothing. */
  cost: Schema.Finite,
  /** Of prompts and answers. */
  tokens: Schema.Finite,
  /** At most ten models that answered, else the requested ones. */
  models: Schema.Array(Schema.String),
  /** How many models there are altogether. */
  model_count: Schema.Int,
  /** At most ten acting users. */
  users: Schema.Array(Schema.String),
  user_count: Schema.Int,
  /** At most ten values of `user` of the requests. */
  external_users: Schema.Array(Schema.String),
  external_user_count: Schema.Int
})

export class SessionsApi extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/signalbox/sessions", {
      query: {
        from: timeParameter(
          `Only requests that began then or later, at most ${maxSortedDays} days before \`to\`. Default: a day before \`to\`; with \`session_id\`, any time.`
        ),
        to: timeParameter("Only requests that began before. Default: now."),
        session_id: textParameter("The `session_id` of the request."),
        workspace_id: textParameter("Id of a workspace."),
        key_hash: textParameter("Hash of an API key."),
        user: textParameter("The acting user, whom the host authenticated or the key belongs to."),
        external_user: textParameter("The `user` of the request."),
        model: textParameter("The model that answered, else the requested one."),
        starting_after: sessionCursorParameter,
        limit: cursorQuery.limit
      },
      success: cursorPageEnvelope(SessionResponse),
      error: [...authenticatedErrors, BadRequest]
    })
      .annotate(
        OpenApi.Summary,
        "List the sessions of the account: what the requests with one `session_id` come to, the session with the latest request first."
      )
      .annotate(
        OpenApi.Description,
        `List the sessions of the account: what the requests with one \`session_id\` come to, the session with the latest request first. The figures are of the requests that match, and of those within the time alone. A session has at most ${maxSessionNames} names of each kind, and their number. \`GET /signalbox/generations?session_id=\` lists its requests.`
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Sessions") {}
