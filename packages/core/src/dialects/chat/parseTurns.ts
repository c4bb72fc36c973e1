/** Parses the messages of a request in OpenAI's chat dialect. */
import * as Result from "effect/Result"
import type { Turn } from "../../conversation/Conversation.ts"
import type { Part, ResultPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { UntranslatableRequest } from "../UntranslatableRequest.ts"
import { parseAssistantMessage, toFunctionCallId } from "./assistantMessage.ts"
import { parseCacheMark, parseContent } from "./parseContent.ts"

type Json = Readonly<Record<string, unknown>>

/** One turn for each message. Fails for a role that no other dialect knows. */
export const parseTurns = (
  messages: ReadonlyArray<unknown>
): Result.Result<ReadonlyArray<Turn>, UntranslatableRequest> => {
  const turns: Array<Turn> = []
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]
    const turn = isObject(message) ? parseTurn(message) : undefined
    if (turn === undefined) {
      return Result.fail(
        new UntranslatableRequest({
          path: ["messages", index],
          problem: "has a role that this provider's API does not know"
        })
      )
    }
    turns.push(turn)
  }
  return Result.succeed(turns)
}

const parseTurn = (message: Json): Turn | undefined => {
  const { name } = message
  const named = typeof name === "string" ? { name } : undefined
  switch (message["role"]) {
    case "system":
      return { role: "system", parts: parseContent(message["content"]), ...named }
    case "developer":
      return {
        role: "system",
        parts: parseContent(message["content"]),
        ...named,
        extra: { dialect: "chat", fields: { role: "developer" } }
      }
    case "user":
      return { role: "user", parts: parseContent(message["content"]), ...named }
    case "assistant":
      return { role: "assistant", parts: parseAssistantMessage(message), ...named }
    case "tool":
      return { role: "tool", parts: [parseResult(message, message["tool_call_id"])] }
    case "function":
      return { role: "tool", parts: [parseResult(message, toFunctionCallId(String(name)))] }
    default:
      return undefined
  }
}

const parseResult = (message: Json, callId: unknown): ResultPart => {
  const cache = parseCacheMark(message["cache_control"])
  return {
    type: "result",
    callId: typeof callId === "string" ? callId : "",
    ...(typeof message["name"] === "string" ? { name: message["name"] } : undefined),
    content: parseContent(message["content"]).map(toReadable).filter(isResultContent),
    ...(cache === undefined ? undefined : { cache })
  }
}

/** A part that only the caller's tool knows is data for the model. */
const toReadable = (part: Part): Part =>
  part.type === "opaque" ? { type: "text", text: JSON.stringify(part.raw) } : part

const isResultContent = (part: Part): part is ResultPart["content"][number] =>
  resultTypes.has(part.type)

const resultTypes: ReadonlySet<Part["type"]> = new Set([
  "audio",
  "file",
  "image",
  "opaque",
  "text",
  "video"
])
