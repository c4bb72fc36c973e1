/** Says the messages of a chat in the Messages API, word for word. */
import { getProperty, isObject } from "../support/getProperty.ts"
import type { Json } from "./NativeAnswer.ts"

/** Undefined where arguments are no JSON, because there they are an object. */
export const toMessagesBody = (messages: ReadonlyArray<Json>): Json | undefined => {
  const first = messages.findIndex((message) => !isSystem(message))
  const system = messages.slice(0, first).flatMap(({ content }) => toBlocks(content))
  const said = messages.slice(first).map(toMessage)
  if (said.includes(undefined)) return undefined
  return { ...(system.length === 0 ? undefined : { system }), messages: said }
}

const isSystem = ({ role }: Json): boolean => role === "system" || role === "developer"

const toMessage = ({ content, role, tool_call_id, tool_calls }: Json): Json | undefined => {
  if (role === "tool") {
    return {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: tool_call_id, content: toBlocks(content) }]
    }
  }
  const calls = (Array.isArray(tool_calls) ? tool_calls : []).map(toToolUse)
  if (calls.includes(undefined)) return undefined
  return { role: role === "developer" ? "system" : role, content: [...toBlocks(content), ...calls] }
}

const toBlocks = (content: unknown): ReadonlyArray<Json> => {
  if (typeof content === "string") return [{ type: "text", text: content }]
  return Array.isArray(content) ? content.filter(isObject).map(toBlock) : []
}

const toBlock = (part: Json): Json => {
  if (part["type"] !== "image_url") return part
  const url = String(getProperty(part["image_url"], "url"))
  const [, media_type, data] = /^data:(.*);base64,(.*)$/.exec(url) ?? []
  return {
    type: "image",
    source: data === undefined ? { type: "url", url } : { type: "base64", media_type, data }
  }
}

const toToolUse = (call: unknown): Json | undefined => {
  const called = getProperty(call, "function")
  const text = String(getProperty(called, "arguments"))
  const input = parse(text === "" ? "{}" : text)
  return input === undefined
    ? undefined
    : {
        type: "tool_use",
        id: getProperty(call, "id"),
        name: getProperty(called, "name"),
        input
      }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
