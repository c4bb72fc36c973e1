/** An endpoint as callers see it: price, limits, and the measurements of the last half hour. */
import * as Schema from "effect/Schema"
import { ModelCard } from "../../engine/catalog/model/ModelCard.ts"
import { Quantization } from "../../engine/catalog/endpoint/Quantization.ts"

const Percentiles = Schema.NullOr(
  Schema.Struct({ p50: Schema.Finite, p75: Schema.Finite, p90: Schema.Finite, p99: Schema.Finite })
)
const Percent = Schema.NullOr(Schema.Finite)
const Tokens = Schema.NullOr(Schema.Int)

/** An endpoint as the HTTP API returns it. Null: unknown, or too few measurements. */
export const PublicEndpoint = Schema.Struct({
  /** Provider and model. */
  name: Schema.String,
  model_id: Schema.String,
  model_name: Schema.String,
  provider_name: Schema.String,
  /** Its name in `only`, `ignore` and `order`. */
  tag: Schema.String,
  /** Tokens; 0 when unknown. */
  context_length: Schema.Int,
  max_prompt_tokens: Tokens,
  max_completion_tokens: Tokens,
  pricing: ModelCard.fields.pricing,
  quantization: Quantization,
  /** Empty when unknown. */
  supported_parameters: Schema.Array(Schema.String),
  supports_implicit_caching: Schema.Boolean,
  supports_tool_choice: Schema.Struct({
    auto: Schema.Boolean,
    function: Schema.Boolean,
    none: Schema.Boolean,
    required: Schema.Boolean
  }),
  /** Whether it imitates the voice of a recording (`input_references`). */
  supports_voice_cloning: Schema.Boolean,
  /** 0 healthy, -1 degraded, -2 down, -3 backing off after 429s, -5 ramping up, -10 breaker open. */
  status: Schema.Literals([0, -1, -2, -3, -5, -10]),
  /** Milliseconds to the answer. */
  latency_last_30m: Percentiles,
  /** Output tokens per second: 90 % of the requests reach `p90`. */
  throughput_last_30m: Percentiles,
  /** Percent of requests, without those that failed because of their callers. */
  uptime_last_5m: Percent,
  uptime_last_30m: Percent,
  uptime_last_1d: Percent
})
export type PublicEndpoint = typeof PublicEndpoint.Type
