/** Says the messages of a chat in the Responses API, word for word. */
import { getProperty, isObject } from "../support/getProperty.ts"
import type { Json } from "./NativeAnswer.ts"

export const toResponsesBody = (messages: ReadonlyArray<Json>): Json => {
  const [first, ...others] = messages
  const hasInstructions = first?.["role"] === "system" && typeof first["content"] === "string"
  return {
    ...(hasInstructions ? { instructions: first["content"] } : undefined),
    input: (hasInstructions ? others : messages).flatMap(toItems)
  }
}

const toItems = ({
  content,
  role,
  tool_call_id: call_id,
  tool_calls
}: Json): ReadonlyArray<Json> => {
  const isAssistant = role === "assistant"
  if (role === "tool") {
    const output = Array.isArray(content) ? toParts(content, false) : content
    return [{ type: "function_call_output", call_id, output }]
  }
  const parts = toParts(content, isAssistant)
  const calls = (Array.isArray(tool_calls) ? tool_calls : []).map((call) => ({
    type: "function_call",
    call_id: getProperty(call, "id"),
    name: getProperty(getProperty(call, "function"), "name"),
    arguments: getProperty(getProperty(call, "function"), "arguments")
  }))
  return [...(parts.length === 0 ? [] : [{ type: "message", role, content: parts }]), ...calls]
}

const toParts = (content: unknown, isAssistant: boolean): ReadonlyArray<Json> => {
  const type = isAssistant ? "output_text" : "input_text"
  if (typeof content === "string") return [{ type, text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isObject).map((part) =>
    part["type"] === "image_url"
      ? {
          type: "input_image",
          image_url: getProperty(part["image_url"], "url"),
          detail: "auto"
        }
      : { type, text: part["text"] }
  )
}
