/** Error codes that providers of the OpenAI dialect and of this wire use for the same thing. */
import type { FailureKind } from "./UpstreamFailure.ts"

/** Undefined for a code that says no more than the status it comes with. */
export const findFailureKind = (code: string): FailureKind | undefined => kindByCode.get(code)

const kindByCode: ReadonlyMap<string, FailureKind> = new Map([
  ["context_length_exceeded", "context_length"],
  ["unsupported_parameter", "unsupported_parameter"],
  ["unknown_parameter", "unsupported_parameter"],
  ["unsupported_value", "unsupported_parameter"],
  ["content_policy_violation", "content_refused"],
  ["content_filter", "content_refused"],
  ["moderation_blocked", "content_refused"],
  ["insufficient_quota", "credential_refused"]
])
