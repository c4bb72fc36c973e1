/** Shows an endpoint to callers: price, limits, and the measurements of the last half hour. */
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import * as Price from "../../engine/catalog/endpoint/Price.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import type {
  BreakerReport,
  EndpointReport,
  Percentiles
} from "../../engine/health/HealthSnapshot.ts"
import type { PublicEndpoint } from "./PublicEndpoint.ts"

/** An endpoint with its latest measurements, if there are any. */
export const toPublicEndpoint = (
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
    supports_voice_cloning: endpoint.speech?.voiceCloning === true,
    status: toStatus(report),
    latency_last_30m: toPercentiles(recent?.latency),
    throughput_last_30m: toPercentiles(recent?.throughput),
    uptime_last_5m: report?.uptime.m5 ?? null,
    uptime_last_30m: report?.uptime.m30 ?? null,
    uptime_last_1d: report?.uptime.d1 ?? null
  }
}

const toPercentiles = (measured: Percentiles | undefined): PublicEndpoint["latency_last_30m"] =>
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
