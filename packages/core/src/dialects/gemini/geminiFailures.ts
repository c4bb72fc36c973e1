/** The meaning of errors of Google's API: https://cloud.google.com/apis/design/errors. */
import type { FailureKind } from "../../engine/upstreams/failures/UpstreamFailure.ts"

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
