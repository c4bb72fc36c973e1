/** Tells requests of Anthropic's Messages API from chats: both have messages. */
import { isObject, toList } from "../../values/json/guards.ts"

/** Whether a request has a field that no chat has. A request that would be valid in both APIs is a chat. */
export const isMessagesRequest = (request: unknown): boolean => {
  if (!isObject(request)) return false
  const { messages, tool_choice: choice, tools } = request
  return (
    ownFields.some((name) => request[name] !== undefined && request[name] !== null) ||
    toList(tools).some((tool) => isObject(tool) && tool["input_schema"] !== undefined) ||
    (isObject(choice) && ownChoices.has(choice["type"])) ||
    toList(messages).some(
      (message) => isObject(message) && toList(message["content"]).some(isOwnBlock)
    )
  )
}

const ownFields: ReadonlyArray<string> = [
  "container",
  "context_management",
  "fallbacks",
  "mcp_servers",
  "output_config",
  "stop_sequences",
  "system"
]

const ownChoices: ReadonlySet<unknown> = new Set(["any", "auto", "none", "tool"])

const isOwnBlock = (block: unknown): boolean =>
  isObject(block) && (ownBlocks.has(block["type"]) || isObject(block["source"]))

const ownBlocks: ReadonlySet<unknown> = new Set([
  "document",
  "redacted_thinking",
  "search_result",
  "thinking",
  "tool_result",
  "tool_use"
])
