/** Words refusals as a chat with an intern tells them: in its own statuses and reasons. Source: wire, InternChatError. */
import * as Predicate from "effect/Predicate"
import type { InternChatReason } from "../../interns/InternChatErrors.ts"
import { type Refusal, retryAfter, type Status } from "./Refusal.ts"

export const internChatEnvelope = (refusal: Refusal): Refusal => {
  const { headers, message } = refusal
  const { reason, retryable, status } = toldAs(refusal)
  return {
    status,
    // Source: interface specification, Errors.
    message: status === 401 ? "Invalid or missing API key" : message,
    ...(reason === undefined ? undefined : { metadata: { reason, retryable } }),
    ...headersOf(reason, headers)
  }
}

interface Told {
  readonly status: Status
  readonly reason?: InternChatReason | (string & {})
  readonly retryable?: boolean
}

const toldAs = ({ metadata = {}, status }: Refusal): Told => {
  const { availability, error_type, reason, retryable } = metadata
  // The reference client has no reason for a regional hostname, nor for a content type.
  const isApart = status === 403 || status === 415
  if (typeof reason === "string" && typeof retryable === "boolean" && !isApart) {
    return { status, reason, retryable }
  }
  // No fault of the request: the model of the intern is none, or nobody serves it.
  if (isOfModel(availability, status)) return failed(502, false)
  switch (status) {
    case 400:
    case 415:
      return { status, reason: "bad_request", retryable: false }
    case 402:
      return failed(403, false)
    case 403:
      return error_type === undefined ? { status } : failed(403, false)
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
      return failed(502, isRetryable(availability))
    case 401:
      return typeof reason === "string" ? { status, reason, retryable: false } : { status }
    // A fault; the others are told with their reasons.
    case 409:
    case 410:
    case 416:
    case 500:
      return failed(502, false)
  }
}

const failed = (status: Status, retryable: boolean): Told => ({
  status,
  reason: "turn_failed",
  retryable
})

const isOfModel = (availability: unknown, status: Status): boolean =>
  Predicate.hasProperty(availability, "code") &&
  (status === 404 ||
    availability.code === "model_not_found" ||
    availability.code === "wrong_endpoint")

const isRetryable = (availability: unknown): boolean =>
  Predicate.hasProperty(availability, "retryable") && availability.retryable === true

/** Who is told to come back is told when. */
const headersOf = (
  reason: string | undefined,
  headers: Refusal["headers"]
): Pick<Refusal, "headers"> => {
  if (reason === "busy" || reason === "rate_limited") {
    return { headers: { ...retryAfter(1_000), ...headers } }
  }
  return headers === undefined ? {} : { headers }
}
