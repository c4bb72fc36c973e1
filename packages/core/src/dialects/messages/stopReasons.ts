/** Why an answer ended, in the words of Anthropic's API. */
import type { EndReason } from "../../conversation/Answer.ts"

const endReasons: ReadonlyMap<string, EndReason> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["pause_turn", "stop"],
  ["compaction", "stop"],
  ["tool_use", "tool_calls"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "content_filter"]
])

/** An unknown reason ends an answer too. */
export const parseStopReason = (stopReason: string, hasCalls: boolean): EndReason => {
  const reason = endReasons.get(stopReason) ?? "stop"
  return reason === "stop" && hasCalls ? "tool_calls" : reason
}

/** How an answer ended, in the words of chat. */
export interface ChatEnd {
  readonly finishReason: string | null
  readonly nativeReason?: string | undefined
  readonly stopSequence?: string | undefined
  readonly explanation?: string | undefined
  readonly hasCalls: boolean
}

export interface StopFields {
  readonly stop_reason: string
  readonly stop_sequence: string | null
  readonly stop_details: Readonly<Record<string, unknown>> | null
}

export const writeStopReason = (end: ChatEnd): StopFields => {
  const stopReason = toStopReason(end)
  return {
    stop_reason: stopReason,
    stop_sequence: stopReason === "stop_sequence" ? (end.stopSequence ?? null) : null,
    stop_details: writeStopDetails(stopReason, end.explanation)
  }
}

/** Only a refusal has details, known or not. */
export const writeStopDetails = (
  stopReason: unknown,
  explanation: string | null = null
): StopFields["stop_details"] =>
  stopReason === "refusal" ? { type: "refusal", category: null, explanation } : null

const toStopReason = ({ finishReason, hasCalls, nativeReason, stopSequence }: ChatEnd): string => {
  if (finishReason === "content_filter") return "refusal"
  if (finishReason === "length") {
    return nativeReason === contextExceeded ? contextExceeded : "max_tokens"
  }
  if (hasCalls) return "tool_use"
  if (stopSequence !== undefined) return "stop_sequence"
  return nativeReason === "pause_turn" ? nativeReason : "end_turn"
}

const contextExceeded = "model_context_window_exceeded"
