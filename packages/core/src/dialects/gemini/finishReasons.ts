/** Why an answer ended, in the words of Google's API. */
import type { EndReason } from "../../conversation/Answer.ts"

/** https://ai.google.dev/api/generate-content#FinishReason */
const endReasons: ReadonlyMap<string, EndReason> = new Map([
  ["STOP", "stop"],
  ["MAX_TOKENS", "length"],
  ["SAFETY", "content_filter"],
  ["RECITATION", "content_filter"],
  ["BLOCKLIST", "content_filter"],
  ["PROHIBITED_CONTENT", "content_filter"],
  ["SPII", "content_filter"],
  ["IMAGE_SAFETY", "content_filter"],
  ["IMAGE_PROHIBITED_CONTENT", "content_filter"],
  ["IMAGE_RECITATION", "content_filter"],
  ["LANGUAGE", "error"],
  ["MALFORMED_FUNCTION_CALL", "error"],
  ["MALFORMED_RESPONSE", "error"],
  ["NO_IMAGE", "error"],
  ["IMAGE_OTHER", "error"],
  ["OTHER", "error"],
  ["TOO_MANY_TOOL_CALLS", "error"],
  ["UNEXPECTED_TOOL_CALL", "error"]
])

/** Facts about the answer so far. */
export interface SaidSoFar {
  readonly hasCalls: boolean
  readonly hasOutput: boolean
}

/** An unknown reason ends an answer with output normally, and an answer without output as an error. */
export const parseFinishReason = (
  native: string,
  { hasCalls, hasOutput }: SaidSoFar
): EndReason => {
  const reason = endReasons.get(native) ?? (hasOutput ? "stop" : "error")
  return reason === "stop" && hasCalls ? "tool_calls" : reason
}

/** Keeps the provider's own reason where it is one of Google's for the same end. */
export const writeFinishReason = (
  reason: string | null,
  nativeReason: string | undefined
): string => {
  if (nativeReason !== undefined && endReasons.get(nativeReason) === reason) return nativeReason
  return wordByReason.get(reason ?? "") ?? "STOP"
}

const wordByReason: ReadonlyMap<string, string> = new Map([
  ["content_filter", "SAFETY"],
  ["length", "MAX_TOKENS"],
  ["error", "OTHER"]
])
