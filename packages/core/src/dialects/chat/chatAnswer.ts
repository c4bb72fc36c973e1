/** Answers between their own order and the message of the chat dialect. */
import type { Answer, EndReason } from "../../conversation/Answer.ts"
import type { ChatChoice } from "../../upstreams/ChatCapability.ts"
import { parseAssistantMessage, writeAssistantMessage } from "./assistantMessage.ts"

/** The parts of a choice: in the order of its provider where that is known. */
export const toAnswer = ({
  answer,
  finishReason,
  logprobs,
  message,
  nativeFinishReason
}: ChatChoice): Answer =>
  answer ?? {
    parts: parseAssistantMessage(message),
    end: {
      reason: toEndReason(finishReason),
      ...(nativeFinishReason === undefined ? undefined : { nativeReason: nativeFinishReason })
    },
    ...(logprobs === undefined ? undefined : { logprobs })
  }

/** Providers may report other words, which end an answer too. */
const toEndReason = (finishReason: string | null): EndReason => {
  if (finishReason === "function_call") return "tool_calls"
  return endReasons.find((reason) => reason === finishReason) ?? "stop"
}

const endReasons: ReadonlyArray<EndReason> = [
  "content_filter",
  "error",
  "length",
  "stop",
  "tool_calls"
]

/** A choice of the chat dialect, which keeps the answer it was made of. */
export const toChatChoice = (answer: Answer, index: number): ChatChoice => {
  const { end, logprobs, parts } = answer
  return {
    index,
    message: { role: "assistant", ...writeAssistantMessage(parts) },
    finishReason: toFinishReason(answer),
    ...(end.nativeReason === undefined ? undefined : { nativeFinishReason: end.nativeReason }),
    ...(logprobs === undefined ? undefined : { logprobs }),
    answer
  }
}

/** An answer that asks for calls ends with them, whatever word its provider has for that. */
const toFinishReason = ({ end: { reason }, parts }: Answer): EndReason =>
  reason === "stop" && parts.some(({ type }) => type === "call") ? "tool_calls" : reason
