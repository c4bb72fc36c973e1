/** The request and the response of a dry run. */
import * as Schema from "effect/Schema"
import { ChatRequest } from "../../chat/request/ChatRequest.ts"
import { MessagesRequestSchema } from "../../messages/MessagesRequest.ts"
import { DecisionRequest } from "../../decisions/DecisionRequest.ts"
import { ResponsesRequest } from "../../responses/ResponsesRequest.ts"
import { VideoRequest } from "../../videos/request/VideoRequest.ts"
import { HealthSnapshot } from "./HealthReport.ts"

export const PlanRequest = Schema.Struct({
  /** The request to plan. A Decision has `questions`, a chat `messages`, a response `input`, a video none of them. */
  request: Schema.Union([
    DecisionRequest,
    ChatRequest,
    MessagesRequestSchema,
    ResponsesRequest,
    VideoRequest
  ]),
  /** Id or slug of the workspace to plan for; default: that of the caller. */
  workspace_id: Schema.optionalKey(Schema.String),
  /** Seed of an earlier plan, to repeat its random choices; default: a new seed. */
  seed: Schema.optionalKey(Schema.Int),
  /** Health from an earlier plan, to repeat its conditions; default: the current health. */
  health: Schema.optionalKey(HealthSnapshot)
})

const Reason = Schema.Struct({
  rule: Schema.String,
  source: Schema.String,
  wanted: Schema.String,
  found: Schema.String
})

const candidateFields = {
  endpoint: Schema.String,
  model: Schema.String,
  provider: Schema.String,
  /** Id of the customer's own credential; absent for the host's credential. */
  credential: Schema.optionalKey(Schema.String)
}

export const PlanResponse = Schema.Struct({
  models: Schema.Array(Schema.String),
  strategy: Schema.String,
  ordered: Schema.Array(
    Schema.Struct({
      ...candidateFields,
      demoted: Schema.optionalKey(Schema.Array(Reason)),
      dropped: Schema.optionalKey(Schema.Array(Schema.String)),
      last_resort: Schema.optionalKey(Schema.Literal(true))
    })
  ),
  rejected: Schema.Array(Schema.Struct({ ...candidateFields, reasons: Schema.Array(Reason) })),
  relax: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ rule: Schema.String, source: Schema.String, wanted: Schema.String })
    )
  ),
  configuration: Schema.Int,
  seed: Schema.Int,
  health: HealthSnapshot
})
