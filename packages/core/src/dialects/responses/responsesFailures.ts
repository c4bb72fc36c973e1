/** How OpenAI's Responses API fails: https://platform.openai.com/docs/guides/error-codes. */
import {
  classifyResponse,
  isContextLengthMessage,
  parseUpstreamError
} from "../../engine/upstreams/failures/toResponseFailure.ts"
import {
  type FailureKind,
  type UpstreamFailure,
  makeFailure
} from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { FailureReader } from "../../engine/upstreams/transport/UpstreamRequest.ts"
import { findJson, isObject } from "../../values/json/guards.ts"
import { parseRetryAfter } from "../../values/parseRetryAfter.ts"
import { findText } from "./fields.ts"

/** By names in lower case. */
type HeaderFields = Parameters<FailureReader>[1]

/** The meaning of a code or type of an error. It takes precedence over the status. */
export const responsesFailureCodes: ReadonlyMap<string, FailureKind> = new Map([
  ["rate_limit_exceeded", "rate_limited"],
  ["rate_limit_error", "rate_limited"],
  ["slow_down", "rate_limited"],
  ["server_is_overloaded", "overloaded"],
  ["server_error", "server_error"],
  ["vector_store_timeout", "timeout"],
  ["insufficient_quota", "credential_refused"],
  ["credit_balance_exhausted", "credential_refused"],
  ["billing_hard_limit_reached", "credential_refused"],
  ["invalid_api_key", "credential_refused"],
  ["data_residency_mismatch", "forbidden"],
  ["unsupported_country_region_territory", "forbidden"],
  ["model_not_found", "not_served"],
  ["DeploymentNotFound", "not_served"],
  ["context_length_exceeded", "context_length"],
  ["unsupported_parameter", "unsupported_parameter"],
  ["unknown_parameter", "unsupported_parameter"],
  ["unsupported_value", "unsupported_parameter"],
  ["invalid_prompt", "content_refused"],
  ["bio_policy", "content_refused"],
  ["misalignment_policy_violation", "content_refused"],
  ["image_content_policy_violation", "content_refused"],
  ["content_policy_violation", "content_refused"],
  ["content_filter", "content_refused"],
  ["moderation_blocked", "content_refused"],
  ["invalid_image", "bad_request"],
  ["invalid_image_format", "bad_request"],
  ["invalid_base64_image", "bad_request"],
  ["invalid_image_url", "bad_request"],
  ["invalid_image_mode", "bad_request"],
  ["image_too_large", "bad_request"],
  ["image_too_small", "bad_request"],
  ["image_parse_error", "bad_request"],
  ["image_file_too_large", "bad_request"],
  ["image_file_not_found", "bad_request"],
  ["unsupported_image_media_type", "bad_request"],
  ["empty_image_file", "bad_request"],
  ["failed_to_download_image", "bad_request"]
])

/** The failure in an error object of an answer or an event, which has no status of its own. */
export const toAnswerFailure = (
  error: unknown,
  usage?: UpstreamFailure["usage"]
): UpstreamFailure => {
  const { code, message, status } = parseUpstreamError({ error })
  const kind =
    findKind(error) ??
    (status !== undefined && status >= 400 && status <= 599
      ? classifyResponse(status, code, message)
      : isContextLengthMessage(message)
        ? "context_length"
        : "server_error")
  return makeFailure({
    kind,
    message,
    retryAfterMillis: parseWaitInMessage(kind, message),
    usage
  })
}

/** The failure in an error response; its body may be HTML or empty. */
export const toResponsesFailure = (
  status: number,
  headers: HeaderFields,
  body: string,
  nowMillis: number
): UpstreamFailure => {
  const json = findJson(body)
  const { code, message } = parseUpstreamError(json)
  const kind =
    (status < 500 ? findKind(isObject(json) ? json["error"] : undefined) : undefined) ??
    classifyResponse(status, code, message)
  return makeFailure({
    kind,
    status,
    message,
    retryAfterMillis:
      parseRetryAfter(headers, nowMillis) ??
      parseLimitReset(status, headers) ??
      parseWaitInMessage(kind, message)
  })
}

/** Classifies an error by its code, else by its type, which is less precise. */
const findKind = (error: unknown): FailureKind | undefined => {
  if (!isObject(error)) return undefined
  for (const name of ["code", "type"]) {
    const kind = responsesFailureCodes.get(findText(error[name]) ?? "")
    if (kind === undefined) continue
    // Some providers have one code for all that is wrong with a prompt.
    return isContextLengthMessage(findText(error["message"])) && kind === "content_refused"
      ? "context_length"
      : kind
  }
  return undefined
}

/** `x-ratelimit-reset-*` of a limit with nothing left, such as `6m0s` or `20ms`. */
const parseLimitReset = (status: number, headers: HeaderFields): number | undefined => {
  if (status !== 429) return undefined
  const waits = ["requests", "tokens"].flatMap((limit) => {
    const remaining = headers[`x-ratelimit-remaining-${limit}`]
    const wait = parseDuration(headers[`x-ratelimit-reset-${limit}`])
    return remaining === "0" && wait !== undefined ? [wait] : []
  })
  return waits.length === 0 ? undefined : Math.max(...waits)
}

/** Messages of rate limits say "Please try again in 1.5s." */
const parseWaitInMessage = (kind: FailureKind, message: string | undefined): number | undefined =>
  kind === "rate_limited" && message !== undefined
    ? parseDuration(/try again in ([\dhms.]{1,32})/i.exec(message.slice(0, 2_000))?.[1])
    : undefined

const durationPattern =
  /^(?:(\d{1,9})h)?(?:(\d{1,9})m(?!s))?(?:(\d{1,9}(?:\.\d{1,9})?)s)?(?:(\d{1,9}(?:\.\d{1,9})?)ms)?\.?$/

const parseDuration = (text: string | undefined): number | undefined => {
  const parts = text === undefined || text === "" ? null : durationPattern.exec(text)
  if (parts === null) return undefined
  const [, hours = 0, minutes = 0, seconds = 0, millis = 0] = parts
  return Math.ceil(
    Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000 + Number(millis)
  )
}
