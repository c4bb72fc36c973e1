/** Writes why an answer ended. */
import type { LanguageModelV4FinishReason } from "@ai-sdk/provider"

/** An answer that asks for calls ends with them, whatever word its provider has for that. */
export const writeFinishReason = (
  reason: string | null,
  native: string | null,
  hasCalls: boolean
): LanguageModelV4FinishReason => ({
  unified: reason === "stop" && hasCalls ? "tool-calls" : (reasons.get(reason) ?? "other"),
  raw: native ?? reason ?? undefined
})

const reasons: ReadonlyMap<string | null, LanguageModelV4FinishReason["unified"]> = new Map([
  ["content_filter", "content-filter"],
  ["error", "error"],
  ["function_call", "tool-calls"],
  ["length", "length"],
  ["stop", "stop"],
  ["tool_calls", "tool-calls"]
])
