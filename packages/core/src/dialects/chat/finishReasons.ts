/** Why an answer ended, in the words that the chat dialect has for it. */
import type { AnswerEnd } from "../../conversation/Answer.ts"

type Finish = Pick<AnswerEnd, "nativeReason" | "reason">

/**
 * An answer with calls ends with `tool_calls`, and no other answer does. Ollama, OpenVINO and others report `stop`
 * (https://github.com/openvinotoolkit/model_server/issues/3927), and so does OpenAI for a forced call. An unknown
 * reason stays. The provider's own reason is kept beside it.
 */
export const toFinish = (finish: Finish, hasCalls: boolean): Finish => {
  const { reason: written, nativeReason = written } = finish
  const known = written === null ? null : (findReason(written) ?? written)
  const reason =
    known === "tool_calls" || known === "stop" ? (hasCalls ? "tool_calls" : "stop") : known
  if (reason === written) return finish
  return { reason, ...(nativeReason === null ? undefined : { nativeReason }) }
}

/** Whether calls, or their absence, change the meaning of a finish reason. */
export const needsFinish = (finishReason: string | null): boolean =>
  finishReason !== null &&
  finishReason !== "stop" &&
  (finishReason === "tool_calls" || findReason(finishReason) !== undefined)

/** Gateways write words of others in capitals, or as they are. */
const findReason = (written: string): string | undefined =>
  reasons.get(written) ?? reasons.get(written.toLowerCase())

/**
 * Finish reasons of servers that differ from OpenAI: text-generation-inference and Together, Mistral, and gateways that
 * pass on the reasons of Anthropic and Google.
 */
const reasons: ReadonlyMap<string, string> = new Map([
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["stop_sequence", "stop"],
  ["end_turn", "stop"],
  ["stop", "stop"],
  ["function_call", "tool_calls"],
  ["function_calls", "tool_calls"],
  ["tool_call", "tool_calls"],
  ["tool_calls", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["max_tokens", "length"],
  ["max_output_tokens", "length"],
  ["model_length", "length"],
  ["safety", "content_filter"]
])
