/** Words refusals as a chat with an intern tells them: in its own statuses and reasons. Source: wire, InternChatError. */
import * as Predicate from "effect/Predicate"
import type { InternChatReason } from "../../interns/chat/InternChatErrors.ts"
import { type ErrorResponse, toRetryAfterHeader, type ErrorStatus } from "./ErrorResponse.ts"

export const toInternChatEnvelope = (refusal: ErrorResponse): ErrorResponse => {
  const { headers, message } = refusal
  const { reason, retryable, status } = toEnvelopeFields(refusal)
  return {
    status,
    // Source: interface specification, Errors.
    message: status === 401 ? "Invalid or missing API key" : message,
    ...(reason === undefined ? undefined : { metadata: { reason, retryable } }),
    ...toHeaders(reason, headers)
  }
}

interface EnvelopeFields {
  readonly status: ErrorStatus
  readonly reason?: InternChatReason | (string & {})
  readonly retryable?: boolean
}

const toEnvelopeFields = ({ metadata = {}, status }: ErrorResponse): EnvelopeFields => {
  const { availability, error_type, reason, retryable } = metadata
  // The reference client has no reason for a regional hostname, nor for a content type.
  const isApart = status === 403 || status === 415
  if (typeof reason === "string" && typeof retryable === "boolean" && !isApart) {
    return { status, reason, retryable }
  }
  // No fault of the request: the model of the intern is none, or nobody serves it.
  if (isModelError(availability, status)) return toTurnFailed(502, false)
  switch (status) {
    case 400:
    case 415:
      return { status, reason: "bad_request", retryable: false }
    case 402:
      return toTurnFailed(403, false)
    case 403:
      return error_type === undefined ? { status } : toTurnFailed(403, false)
    case 404:
      return { status, reason: "not_found", retryable: false }
    case 413:
      return { status, reason: "payload_too_large", retryable: false }
    case 429:
      return { status, reason: "rate_limited", retryable: true }
    case 408:
    case 504:
      return { status, reason: "timeout", retryable: true }
    case 524:
      return { status: 504, reason: "timeout", retryable: true }
    case 503:
    case 529:
      return { status: 503, reason: "busy", retryable: true }
    case 502:
      return toTurnFailed(502, isRetryable(availability))
    case 401:
      return typeof reason === "string" ? { status, reason, retryable: false } : { status }
    // A fault; the others are told with their reasons.
    case 409:
    case 410:
    case 416:
    case 500:
      return toTurnFailed(502, false)
  }
}

const toTurnFailed = (status: ErrorStatus, retryable: boolean): EnvelopeFields => ({
  status,
  reason: "turn_failed",
  retryable
})

const isModelError = (availability: unknown, status: ErrorStatus): boolean =>
  Predicate.hasProperty(availability, "code") &&
  (status === 404 ||
    availability.code === "model_not_found" ||
    availability.code === "wrong_endpoint")

const isRetryable = (availability: unknown): boolean =>
  Predicate.hasProperty(availability, "retryable") && availability.retryable === true

/** Who is told to come back is told when. */
const toHeaders = (
  reason: string | undefined,
  headers: ErrorResponse["headers"]
): Pick<ErrorResponse, "headers"> => {
  if (reason === "busy" || reason === "rate_limited") {
    return { headers: { ...toRetryAfterHeader(1_000), ...headers } }
  }
  return headers === undefined ? {} : { headers }
}
