/** Classifies the errors of Google's API. */
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
import { isObject } from "../../values/json/guards.ts"
import { parseRetryAfter } from "../../values/parseRetryAfter.ts"
import { findField, findText } from "../UntranslatableRequest.ts"
import { findByPhrase } from "../findByPhrase.ts"
import type { Json } from "./geminiFields.ts"

interface GeminiError {
  readonly status: string | undefined
  readonly message: string | undefined
  readonly reason: string | undefined
  /** Whether the limit resets on another day. */
  readonly isDaily: boolean
  readonly retryMillis: number | undefined
}

/** The error in an answer or an event of status 200; undefined when it has none. */
export const findGeminiFailure = (
  json: Json,
  usage?: UpstreamFailure["usage"]
): UpstreamFailure | undefined => {
  if (findField(json, "error") === undefined) return undefined
  const error = parseError(json)
  return makeFailure({
    kind: classifyError(error) ?? "server_error",
    message: error.message,
    retryAfterMillis: error.retryMillis,
    usage
  })
}

/** Classifies a response of an error status. */
export const toGeminiFailure = (
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  nowMillis: number
): UpstreamFailure => {
  const error = parseError(parseErrorBody(body))
  return makeFailure({
    kind: classifyStatus(status, error),
    status,
    message: error.message,
    retryAfterMillis: parseRetryAfter(headers, nowMillis) ?? error.retryMillis
  })
}

const parseError = (json: unknown): GeminiError => {
  const body = isObject(json) ? json : {}
  const error = isObject(body["error"]) ? body["error"] : {}
  const { details: found } = error
  const details = Array.isArray(found) ? found.filter(isObject) : []
  const ofType = (type: string): ReadonlyArray<Json> =>
    details.filter((detail) => findText(detail, "@type")?.endsWith(`.${type}`) === true)
  const violations = ofType("QuotaFailure").flatMap(({ violations: each }) =>
    Array.isArray(each) ? each.filter(isObject) : []
  )
  const [info = {}] = ofType("ErrorInfo")
  const [retry = {}] = ofType("RetryInfo")
  return {
    status: findText(error, "status"),
    message: findText(error, "message") ?? findText(body, "error") ?? findText(body, "message"),
    reason: findText(info, "reason"),
    isDaily: violations.some((each) => /per_?day/i.test(findText(each, "quotaId") ?? "")),
    retryMillis: parseDuration(findText(retry, "retryDelay"))
  }
}

/** Parses a duration such as `34s` or `1.5s`. */
const parseDuration = (text: string | undefined): number | undefined => {
  const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(text ?? "")?.[1]
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000)
}

/** For a server error only the status counts, unless the request was too long. */
const classifyStatus = (status: number, error: GeminiError): FailureKind => {
  if (status >= 500) {
    return isContextLengthMessage(error.message)
      ? "context_length"
      : classifyResponse(status, undefined)
  }
  const kind = classifyError(error)
  const byStatus = classifyResponse(status, undefined, error.message)
  // For invalid requests and limits, the error is more precise than the status.
  return byStatus === "bad_request" || byStatus === "rate_limited" ? (kind ?? byStatus) : byStatus
}

const classifyError = ({
  isDaily,
  message,
  reason,
  status
}: GeminiError): FailureKind | undefined => {
  const byReason = reason === undefined ? undefined : geminiFailureReasons.get(reason)
  if (byReason !== undefined) return byReason
  const byStatus = status === undefined ? undefined : geminiFailureStatuses.get(status)
  // There is nothing to wait for.
  if (byStatus === "rate_limited") return isDaily ? "credential_refused" : byStatus
  if (isContextLengthMessage(message)) return "context_length"
  if (byStatus === "bad_request" || byStatus === undefined) {
    return findByPhrase(geminiFailurePhrases, message) ?? byStatus
  }
  return byStatus
}

/** Kinds of failure by `error.status`. Whether another endpoint may serve the request follows from the kind. */
export const geminiFailureStatuses: ReadonlyMap<string, FailureKind> = new Map([
  ["ABORTED", "server_error"],
  ["CANCELLED", "server_error"],
  ["DEADLINE_EXCEEDED", "timeout"],
  ["FAILED_PRECONDITION", "forbidden"],
  ["INTERNAL", "server_error"],
  ["INVALID_ARGUMENT", "bad_request"],
  ["NOT_FOUND", "not_served"],
  ["OUT_OF_RANGE", "bad_request"],
  ["PERMISSION_DENIED", "forbidden"],
  ["RESOURCE_EXHAUSTED", "rate_limited"],
  ["UNAUTHENTICATED", "credential_refused"],
  ["UNAVAILABLE", "overloaded"],
  ["UNIMPLEMENTED", "not_served"]
])

/**
 * Kinds of failure by the `reason` of an `ErrorInfo`, which is more precise than the status: a bad key has the status
 * of any bad request.
 */
export const geminiFailureReasons: ReadonlyMap<string, FailureKind> = new Map([
  ["ACCESS_TOKEN_EXPIRED", "credential_refused"],
  ["ACCESS_TOKEN_TYPE_UNSUPPORTED", "credential_refused"],
  ["ACCOUNT_STATE_INVALID", "credential_refused"],
  ["API_KEY_EXPIRED", "credential_refused"],
  ["API_KEY_INVALID", "credential_refused"],
  ["API_KEY_SERVICE_BLOCKED", "credential_refused"],
  ["BILLING_DISABLED", "credential_refused"],
  ["CONSUMER_INVALID", "credential_refused"],
  ["CONSUMER_SUSPENDED", "credential_refused"],
  ["CREDENTIALS_MISSING", "credential_refused"],
  ["LOCATION_POLICY_VIOLATED", "forbidden"],
  ["SERVICE_DISABLED", "forbidden"]
])

/** Kinds of failure by the message of an invalid request. */
export const geminiFailurePhrases: ReadonlyArray<readonly [RegExp, FailureKind]> = [
  [/location is not supported/i, "forbidden"],
  [/api key (?:not valid|expired)/i, "credential_refused"],
  [/responsible ai practices|usage guidelines/i, "content_refused"],
  [/not supported|does not support|unsupported|not enabled for/i, "unsupported_parameter"]
]
