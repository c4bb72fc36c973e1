/** The failure kinds of error codes in the dialects of OpenAI and OpenRouter. */
import type { FailureKind } from "./UpstreamFailure.ts"

/** The failure kind of an error code; undefined for a code that adds nothing to the HTTP status. */
export const findFailureKind = (code: string): FailureKind | undefined => chatFailureCodes.get(code)

/** Kinds of failure by `error.code`, `error.metadata.error_type` or `error.type`. */
export const chatFailureCodes: ReadonlyMap<string, FailureKind> = new Map([
  ["context_length_exceeded", "context_length"],
  ["unsupported_parameter", "unsupported_parameter"],
  ["unknown_parameter", "unsupported_parameter"],
  ["unsupported_value", "unsupported_parameter"],
  ["content_policy_violation", "content_refused"],
  ["content_filter", "content_refused"],
  ["moderation_blocked", "content_refused"],
  ["insufficient_quota", "credential_refused"]
])
