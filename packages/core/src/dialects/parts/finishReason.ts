/** Why an answer ended, in the words of libraries. */
import type { EndReason } from "../../conversation/Answer.ts"

type PartFinishReason = "content-filter" | "error" | "length" | "other" | "stop" | "tool-calls"

/** An answer with tool calls ends as `tool-calls`: some providers report another reason. */
export const toFinishReason = (reason: EndReason | null, hasCalls: boolean): PartFinishReason =>
  reason === "stop" && hasCalls ? "tool-calls" : (reasons.get(reason) ?? "other")

const reasons: ReadonlyMap<EndReason | null, PartFinishReason> = new Map([
  ["content_filter", "content-filter"],
  ["error", "error"],
  ["function_call", "tool-calls"],
  ["length", "length"],
  ["stop", "stop"],
  ["tool_calls", "tool-calls"]
])
