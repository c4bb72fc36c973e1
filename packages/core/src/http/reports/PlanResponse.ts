/** A dry run: what is asked of it and what it answers. */
import * as Schema from "effect/Schema"
import { ChatRequest } from "../../chat/request/ChatRequest.ts"
import { DecisionRequest } from "../../decisions/DecisionRequest.ts"
import { VideoRequest } from "../../videos/request/VideoRequest.ts"
import { HealthSnapshot } from "./HealthReport.ts"

export const PlanRequest = Schema.Struct({
  /** What would be asked: a Decision has `questions`, a chat `messages`, a video neither. */
  request: Schema.Union([DecisionRequest, ChatRequest, VideoRequest]),
  /** Id or slug of the workspace it would be asked in; default: that of the caller. */
  workspace_id: Schema.optionalKey(Schema.String),
  /** Repeats a draw; default: a new one. */
  seed: Schema.optionalKey(Schema.Int),
  /** Repeats a situation, as an earlier plan told it; default: what is known now. */
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
  /** The id of the customer's own credential it is called with; absent: shared capacity. */
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
