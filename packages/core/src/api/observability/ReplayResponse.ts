/** The request and the responses of running a recorded request again. */
import * as Schema from "effect/Schema"
import { Preferences } from "../../routing/Preferences.ts"
import { ModelName } from "../../tenants/workspaces/WorkspaceFields.ts"

export const ReplayRequest = Schema.Struct({
  /** The model to ask; null and absent: those of the record. */
  model: Schema.optionalKey(Schema.NullOr(ModelName)),
  /** Routing preferences in place of those of the record; null: none. */
  provider: Schema.optionalKey(Schema.NullOr(Preferences))
})
export type ReplayRequest = typeof ReplayRequest.Type

const Text = Schema.NullOr(Schema.String)

const commonFields = {
  /** The id of the generation that is repeated. */
  replay_of: Schema.String,
  workspace_id: Schema.String,
  /** The requested model and its fallbacks, in order. */
  models: Schema.Array(Schema.String),
  /** Fields that the request had and a replay lacks, such as `session_id`. */
  omitted_fields: Schema.Array(Schema.String),
  /** Whether secrets were left out of the content before it was stored, so that the model reads something else. */
  is_redacted: Schema.Boolean
}

export const ReplayPreview = Schema.Struct({
  ...commonFields,
  /** The endpoints that may serve it, in the order in which they are tried. */
  endpoints: Schema.Array(
    Schema.Struct({
      endpoint_id: Schema.String,
      model: Schema.String,
      provider_name: Schema.String,
      /** Approximate USD, by the estimated lengths of the prompt and the answer; null: a price is unknown. */
      estimated_cost: Schema.NullOr(Schema.Finite)
    })
  )
})

export const ReplayResponse = Schema.Struct({
  /** The id of the generation of the replay. */
  id: Schema.String,
  ...commonFields,
  model: Schema.String,
  provider_name: Text,
  /** USD; null when a price is unknown. */
  cost: Schema.NullOr(Schema.Finite),
  output: Schema.Struct({
    /** The text of the answer; of an answer that only calls tools, the calls in JSON; of a Decision its answers in JSON. */
    completion: Text,
    reasoning: Text
  })
})
