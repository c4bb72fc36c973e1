/** An endpoint as callers see it: price, limits, and the measurements of the last half hour. */
import * as Schema from "effect/Schema"
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import { ModelCard } from "../../engine/catalog/model/ModelCard.ts"
import * as Price from "../../engine/catalog/endpoint/Price.ts"
import { Quantization } from "../../engine/catalog/endpoint/Quantization.ts"
import type {
  BreakerReport,
  EndpointReport,
  Percentiles as Measured
} from "../../engine/health/HealthSnapshot.ts"

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

export const make = (
  { id, name }: Model,
  endpoint: Endpoint,
  providerName: string,
  report: EndpointReport | undefined
): PublicEndpoint => {
  const { price, quantization, supportedParameters, tag } = endpoint
  const takesChoice = supportedParameters?.has("tool_choice") ?? false
  const recent = report?.longer?.m30
  return {
    name: `${providerName} | ${id}`,
    model_id: id,
    model_name: name,
    provider_name: providerName,
    tag,
    context_length: endpoint.contextLength ?? 0,
    max_prompt_tokens: endpoint.maxPromptTokens ?? null,
    max_completion_tokens: endpoint.maxCompletionTokens ?? null,
    pricing: Price.toPriceList(price),
    quantization,
    supported_parameters: Array.from(supportedParameters ?? []),
    supports_implicit_caching: endpoint.implicitCaching,
    supports_tool_choice: {
      auto: takesChoice,
      function: takesChoice,
      none: takesChoice,
      required: takesChoice
    },
    status: toStatus(report),
    latency_last_30m: toPercentiles(recent?.latency),
    throughput_last_30m: toPercentiles(recent?.throughput),
    uptime_last_5m: report?.uptime.m5 ?? null,
    uptime_last_30m: report?.uptime.m30 ?? null,
    uptime_last_1d: report?.uptime.d1 ?? null
  }
}

const toPercentiles = (measured: Measured | undefined): typeof Percentiles.Type =>
  measured === undefined
    ? null
    : { p50: measured.p50, p75: measured.p75, p90: measured.p90, p99: measured.p99 }

/** The thresholds of the uptime are the same as in routing. */
const toStatus = (report: EndpointReport | undefined): PublicEndpoint["status"] => {
  if (report === undefined) return 0
  const { breaker, outage, uptime } = report
  const status = statusByBreaker[breaker.state]
  if (status !== 0) return status
  const share = uptime.m5 ?? uptime.m30 ?? uptime.d1 ?? 100
  if (outage !== undefined || share < 80) return -2
  return share < 95 ? -1 : 0
}

const statusByBreaker: Readonly<Record<BreakerReport["state"], PublicEndpoint["status"]>> = {
  closed: 0,
  open: -10,
  ramping: -5,
  backing_off: -3
}
