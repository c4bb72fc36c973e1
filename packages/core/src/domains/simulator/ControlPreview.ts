/** What a traffic control would have done with recorded traffic. */
import * as Schema from "effect/Schema"

/** What became of the requests of models that keep an endpoint. */
const PreviewFigures = Schema.Struct({
  /** Requests without an answer. */
  failures: Schema.Int,
  /** USD; null: a price is unknown. */
  cost: Schema.NullOr(Schema.Finite),
  /** Milliseconds from requests to the first event of their answers; null: none was answered. */
  latency: Schema.NullOr(Schema.Struct({ p50: Schema.Finite, p95: Schema.Finite }))
})
export type PreviewFigures = typeof PreviewFigures.Type

export const ControlPreview = Schema.Struct({
  /** The time of the recorded traffic, in ISO 8601. */
  from: Schema.String,
  to: Schema.String,
  /** Recorded requests that were replayed. */
  requests: Schema.Int,
  /** Whether there were more than that: then a part of every twentieth of the time was. */
  is_sample: Schema.Boolean,
  /** Models that would have no endpoint in service, those with the most requests first; at most 100. */
  lost_models: Schema.Array(Schema.Struct({ model: Schema.String, requests: Schema.Int })),
  lost_model_count: Schema.Int,
  /** Replayed requests for those models. */
  lost_requests: Schema.Int,
  /** The requests for other models under the present controls; null: there were none. */
  before: Schema.NullOr(PreviewFigures),
  /** The same requests under the control. */
  after: Schema.NullOr(PreviewFigures),
  /** How much more they would cost, such as 0.12 for 12 % more; null: a price is unknown, or they cost nothing. */
  cost_change: Schema.NullOr(Schema.Finite),
  /** The shares of the attempts of providers, by name, from 0 to 1; at most 100. */
  providers: Schema.Array(
    Schema.Struct({
      provider: Schema.String,
      share_before: Schema.Finite,
      share_after: Schema.Finite
    })
  ),
  /** Endpoints without a recorded answer, which are assumed to answer as fast as those that did; at most 100. */
  unrecorded_endpoints: Schema.Array(Schema.String)
})
export type ControlPreview = typeof ControlPreview.Type
