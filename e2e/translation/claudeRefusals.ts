/** What Anthropic's API refuses, in its own words. */
import { getProperty, isObject } from "../support/getProperty.ts"
import type { Json } from "../dialects/NativeAnswer.ts"

const toBlocks = (content: unknown): ReadonlyArray<Json> => {
  if (typeof content === "string") return [{ type: "text", text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}

const toMessages = ({ messages }: Json): ReadonlyArray<Json> =>
  Array.isArray(messages) ? messages.filter(isObject) : []

const listTexts = (content: unknown): ReadonlyArray<string> =>
  toBlocks(content).flatMap((block) => {
    if (block["type"] === "tool_result") return listTexts(block["content"])
    return block["type"] === "text" ? [String(block["text"])] : []
  })

/** https://github.com/anthropics/claude-code/issues/23440 and issues/6774, https://github.com/tailcallhq/forgecode/issues/1872. */
export const refuseBlankTexts = (body: Json): string | undefined => {
  const messages = toMessages(body)
  if (listTexts(body["system"]).some((text) => text.trim() === "")) {
    return "system: text content blocks must contain non-whitespace text"
  }
  for (const [index, { content }] of messages.entries()) {
    if (toBlocks(content).length === 0) {
      return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`
    }
    if (listTexts(content).some((text) => text.trim() === "")) {
      return "messages: text content blocks must contain non-whitespace text"
    }
  }
  const last = messages.at(-1)
  const text = getProperty(toBlocks(last?.["content"]).at(-1), "text")
  return last?.["role"] === "assistant" && typeof text === "string" && text !== text.trimEnd()
    ? "messages: final assistant content cannot end with trailing whitespace"
    : undefined
}

/** https://platform.claude.com/docs/en/about-claude/models/migration-guide: models from 4.6. */
export const refusePrefill = (body: Json): string | undefined =>
  toMessages(body).at(-1)?.["role"] === "assistant"
    ? "This model does not support assistant message prefill. The conversation must end with a user message."
    : undefined

/** https://platform.claude.com/docs/en/build-with-claude/extended-thinking#feature-compatibility. */
export const refuseForcedThinking = ({
  thinking,
  tool_choice: choice
}: Json): string | undefined => {
  const isThinking = ["adaptive", "enabled"].includes(String(getProperty(thinking, "type")))
  const isForced = ["any", "tool"].includes(String(getProperty(choice, "type")))
  return isThinking && isForced
    ? "Thinking may not be enabled when tool_choice forces tool use."
    : undefined
}
