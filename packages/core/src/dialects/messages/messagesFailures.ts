/** The meaning of errors of Anthropic's API: https://platform.claude.com/docs/en/api/errors. */
import type { FailureKind } from "../../engine/upstreams/failures/UpstreamFailure.ts"

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
