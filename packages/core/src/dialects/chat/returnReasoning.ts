/**
 * Returns the reasoning of earlier answers in `reasoning_content`, to models that want it back there: DeepSeek answers 400
 * without it (https://api-docs.deepseek.com/guides/thinking_mode), and so does Moonshot behind a call
 * (https://github.com/continuedev/continue/issues/11600).
 */
import type { ChatBodyMessage } from "../../engine/upstreams/openaiChat/ChatBody.ts"
import { getReasoningFamily } from "../reasoningFamily.ts"
import { replaceFields } from "../replaceFields.ts"
import type { RequestChanges } from "../RequestChanges.ts"
import { parseReasoning } from "./reasoningDetails.ts"
import { findDetails } from "./thinkingBlocks.ts"

/** The same list, where no message of the assistant changes. */
export const returnReasoning = (
  messages: ReadonlyArray<ChatBodyMessage>,
  changes: RequestChanges
): ReadonlyArray<ChatBodyMessage> => {
  let changed: Array<ChatBodyMessage> | undefined
  for (const [index, message] of messages.entries()) {
    const returned = message.role === "assistant" ? returnIn(message, changes) : message
    if (returned !== message) changed ??= messages.slice(0, index)
    changed?.push(returned)
  }
  return changed ?? messages
}

const returnIn = (message: ChatBodyMessage, changes: RequestChanges): ChatBodyMessage => {
  const { reasoning, reasoning_content: content } = message
  const details = findDetails(message)
  const hasCalls = Array.isArray(message["tool_calls"]) && message["tool_calls"].length > 0
  const known = typeof content === "string" ? content : findText(details, reasoning)
  if (known === undefined && details !== undefined) changes.add(["reasoning_details"])
  // A call that another model made: an empty text is taken for its reasoning.
  const returned = known ?? (hasCalls ? "" : undefined)
  if (returned === content && reasoning === undefined && details === undefined) return message
  return {
    ...replaceFields(message, {
      reasoning: undefined,
      reasoning_details: undefined,
      thinking_blocks: undefined,
      reasoning_content: returned
    }),
    role: message.role
  }
}

/** Reasoning that another provider signed does not become a thought of this model. */
const findText = (details: unknown, reasoning: unknown): string | undefined => {
  const said = typeof reasoning === "string" ? reasoning : undefined
  const texts = parseReasoning(details, said).flatMap(({ format, text }) =>
    text === undefined || getReasoningFamily(format) !== undefined ? [] : [text]
  )
  return texts.length === 0 ? undefined : texts.join("")
}
