/** Classifies the errors of Anthropic's API. */
import {
  type FailureKind,
  makeFailure,
  type UpstreamFailure
} from "../../engine/upstreams/failures/UpstreamFailure.ts"
import {
  classifyResponse,
  isContextLengthMessage,
  parseErrorBody
} from "../../engine/upstreams/failures/toResponseFailure.ts"
import type { FailureReader } from "../../engine/upstreams/transport/UpstreamRequest.ts"
import { isObject } from "../../values/json/guards.ts"
import { parseRetryAfter } from "../../values/parseRetryAfter.ts"
import { findText } from "../UntranslatableRequest.ts"
import { findByPhrase } from "../findByPhrase.ts"

type Json = Readonly<Record<string, unknown>>

/** By names in lower case. */
type HeaderFields = Parameters<FailureReader>[1]

interface MessagesError {
  readonly type: string | undefined
  readonly code: string | undefined
  readonly message: string | undefined
}

/** The error in an answer or an event of status 200; undefined when it has none. */
export const findMessagesFailure = (
  json: Json,
  usage?: UpstreamFailure["usage"]
): UpstreamFailure | undefined => {
  if (json["type"] !== "error" && !isPresent(json, "error")) return undefined
  const error = parseError(json)
  return makeFailure({
    kind: classifyError(error) ?? "server_error",
    message: error.message,
    usage
  })
}

const isPresent = (json: Json, name: string): boolean =>
  Object.hasOwn(json, name) && json[name] !== null && json[name] !== undefined

/** Classifies a response of an error status. */
export const toMessagesFailure = (
  status: number,
  headers: HeaderFields,
  body: string,
  nowMillis: number
): UpstreamFailure => {
  const error = parseError(parseErrorBody(body))
  const kind = classifyStatus(status, headers, error)
  return makeFailure({
    kind,
    status,
    message: error.message,
    retryAfterMillis:
      parseRetryAfter(headers, nowMillis) ??
      (kind === "rate_limited" ? findResetMillis(headers, nowMillis) : undefined)
  })
}

/** Gateways of clouds answer with `{message}` or `{Message}`. */
const parseError = (json: unknown): MessagesError => {
  const body = isObject(json) ? json : {}
  const error = isObject(body["error"]) ? body["error"] : {}
  const details = isObject(error["details"]) ? error["details"] : {}
  return {
    type: findText(error, "type"),
    code: findText(details, "error_code"),
    message:
      findText(error, "message") ??
      findText(body, "error") ??
      findText(body, "message") ??
      findText(body, "Message")
  }
}

/** For a server error only the status counts. */
const classifyStatus = (
  status: number,
  headers: HeaderFields,
  error: MessagesError
): FailureKind => {
  if (status >= 500) return classifyResponse(status, undefined)
  if (status === 429) {
    // A limit of money: there is nothing to wait for.
    const isSpent = headers["x-should-retry"] === "false" && headers["retry-after"] === undefined
    const kind = classifyError(error)
    return isSpent || kind === "credential_refused" ? "credential_refused" : "rate_limited"
  }
  const byStatus = classifyResponse(status, undefined, error.message)
  const kind = classifyError(error)
  // For invalid requests, the message is more precise than the status.
  return byStatus === "bad_request" ? (kind ?? byStatus) : byStatus
}

const classifyError = ({ code, message, type }: MessagesError): FailureKind | undefined => {
  const byCode = code === undefined ? undefined : messagesFailureCodes.get(code)
  if (byCode !== undefined) return byCode
  const byType = type === undefined ? undefined : messagesFailureTypes.get(type)
  if (byType !== undefined && byType !== "bad_request" && byType !== "rate_limited") return byType
  const byPhrase = findByPhrase(messagesFailurePhrases, message)
  if (byPhrase !== undefined) return byPhrase
  if (byType !== "rate_limited" && isContextLengthMessage(message)) return "context_length"
  return byType
}

const limits: ReadonlyArray<string> = ["requests", "tokens", "input-tokens", "output-tokens"]

/** When the limits that are used up are full again. */
const findResetMillis = (headers: HeaderFields, nowMillis: number): number | undefined => {
  const waits = limits.flatMap((name) => {
    if (headers[`anthropic-ratelimit-${name}-remaining`] !== "0") return []
    const reset = headers[`anthropic-ratelimit-${name}-reset`] ?? ""
    const millis = datePattern.test(reset) ? Date.parse(reset) : Number.NaN
    return Number.isNaN(millis) ? [] : [Math.max(0, millis - nowMillis)]
  })
  return waits.length === 0 ? undefined : Math.max(...waits)
}

/** RFC 3339. */
const datePattern = /^\d{4}-\d{2}-\d{2}T[\d:.]{8,24}(?:Z|[+-]\d{2}:\d{2})$/i

/** Kinds of failure by `error.type`. Whether another endpoint may serve the request follows from the kind. */
export const messagesFailureTypes: ReadonlyMap<string, FailureKind> = new Map([
  ["invalid_request_error", "bad_request"],
  ["request_too_large", "bad_request"],
  ["authentication_error", "credential_refused"],
  ["billing_error", "credential_refused"],
  ["permission_error", "forbidden"],
  ["not_found_error", "not_served"],
  ["conflict_error", "server_error"],
  ["rate_limit_error", "rate_limited"],
  ["timeout_error", "timeout"],
  ["api_error", "server_error"],
  ["overloaded_error", "overloaded"]
])

/** Kinds of failure by `error.details.error_code`, which is more precise than the type. */
export const messagesFailureCodes: ReadonlyMap<string, FailureKind> = new Map([
  ["contract_spend_limit_reached", "credential_refused"],
  ["enforced_spend_limit_reached", "credential_refused"],
  ["linked_organization_spend_limit_reached", "credential_refused"],
  ["linked_organization_billing_unavailable", "credential_refused"],
  ["organization_on_hold", "credential_refused"]
])

/**
 * Tells kinds of failure apart by the message of an invalid request or of a limit. An account without money, or a model
 * without a feature, gets the same status and type as other invalid requests.
 */
export const messagesFailurePhrases: ReadonlyArray<readonly [RegExp, FailureKind]> = [
  [/credit balance/i, "credential_refused"],
  [/(?:spend(?:ing)?|usage) limits?/i, "credential_refused"],
  [/not supported|does not support|unsupported/i, "unsupported_parameter"]
]
