/** Fits the calls among the messages of a chat to a server's rules. */
import type { ChatBodyMessage } from "../../engine/upstreams/openaiChat/ChatBody.ts"
import { isObject } from "../../values/json/guards.ts"
import type { RequestChanges } from "../RequestChanges.ts"
import { type IdRules, toDialectId } from "../toDialectId.ts"

type Messages = ReadonlyArray<ChatBodyMessage>

/** Ids of calls in the alphabet of the server: the same in a call and its result. */
export const renameCallIds = (messages: Messages, rules: IdRules): Messages => {
  for (const message of messages) {
    if (hasOtherId(message, rules)) return messages.map((each) => renameIn(each, rules))
  }
  return messages
}

const hasOtherId = (
  { tool_call_id: id, tool_calls: calls }: ChatBodyMessage,
  rules: IdRules
): boolean => {
  if (typeof id === "string") return toDialectId(id, rules) !== id
  if (!Array.isArray(calls)) return false
  return calls.some(
    (call: unknown) =>
      isObject(call) &&
      typeof call["id"] === "string" &&
      toDialectId(call["id"], rules) !== call["id"]
  )
}

const renameIn = (message: ChatBodyMessage, rules: IdRules): ChatBodyMessage => {
  const { tool_call_id: id, tool_calls: calls } = message
  if (typeof id === "string") return { ...message, tool_call_id: toDialectId(id, rules) }
  return Array.isArray(calls)
    ? {
        ...message,
        tool_calls: calls.map((call: unknown) =>
          isObject(call) && typeof call["id"] === "string"
            ? { ...call, id: toDialectId(call["id"], rules) }
            : call
        )
      }
    : message
}

/**
 * Puts a short turn of the assistant between the result of a tool and the next message of the user: "Unexpected role
 * 'user' after role 'tool'" (https://github.com/avante-corp/avante.nvim/issues/2562).
 */
export const partResults = (messages: Messages, changes: RequestChanges): Messages =>
  messages.flatMap((message, index) => {
    if (message.role !== "user" || messages[index - 1]?.role !== "tool") return [message]
    changes.add(["messages", index])
    return [{ role: "assistant", content: "Done." }, message]
  })

type Json = Readonly<Record<string, unknown>>

/** What every call has. */
interface CallParts {
  readonly id: string
  readonly name: string
  /** Text of the arguments, or of the input of a tool of free text. */
  readonly text: string
}

/** With every other field of the call as it was written. */
export const writeCall = (raw: Json, { id, name, text }: CallParts): Json => {
  const { id: _, index: __, type, ...rest } = omitCalled(raw)
  const { custom, function: called } = raw
  const isCustom = isObject(custom)
  return {
    id,
    type: typeof type === "string" && type !== "" ? type : isCustom ? "custom" : "function",
    ...(isCustom
      ? { custom: { ...custom, name, input: text } }
      : { function: { ...(isObject(called) ? called : undefined), name, arguments: text } }),
    ...rest
  }
}

/** A later piece of a streamed call. */
export const writeCallPiece = (raw: Json, isCustom: boolean, text: string): Json => {
  const { id: _, index: __, type: ___, ...rest } = omitCalled(raw)
  return { ...rest, ...toCalled(isCustom, text) }
}

export const toCalled = (isCustom: boolean, text: string): Json =>
  isCustom ? { custom: { input: text } } : { function: { arguments: text } }

const omitCalled = (raw: Json): Json => {
  const { arguments: _, custom: __, function: ___, name: ____, ...rest } = raw
  return rest
}
