/** Assistant turns as messages of OpenAI's chat dialect, in requests and answers. */
import type { CallPart, Part } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/isObject.ts"
import { parseContent } from "./parseContent.ts"
import { attachSignatures, parseReasoning, writeReasoningDetails } from "./reasoningDetails.ts"
import { writeCacheMark, writePart } from "./writeContent.ts"

type Json = Readonly<Record<string, unknown>>

/** Reasoning comes first, then what is said, then the calls: the message does not say another order. */
export const parseAssistantMessage = (message: Json): ReadonlyArray<Part> => {
  const { content, function_call, reasoning, reasoning_details, refusal, tool_calls } = message
  return attachSignatures([
    ...parseReasoning(reasoning_details, reasoning),
    ...parseContent(content),
    ...(typeof refusal === "string" && refusal !== ""
      ? [{ type: "refusal" as const, refusal }]
      : []),
    ...(Array.isArray(tool_calls) ? tool_calls.flatMap(parseCall) : []),
    ...parseFunctionCall(function_call)
  ])
}

const parseCall = (call: unknown): ReadonlyArray<CallPart> => {
  if (!isObject(call) || typeof call["id"] !== "string") return []
  const { custom, id } = call
  if (isObject(custom)) {
    return [
      {
        type: "call",
        id,
        name: toText(custom["name"]),
        arguments: toText(custom["input"]),
        isCustom: true
      }
    ]
  }
  const called = isObject(call["function"]) ? call["function"] : {}
  return [
    { type: "call", id, name: toText(called["name"]), arguments: toText(called["arguments"]) }
  ]
}

/** The form that predates tools has no ids: a result follows its call at once. */
const parseFunctionCall = (call: unknown): ReadonlyArray<CallPart> =>
  isObject(call) && typeof call["name"] === "string"
    ? [
        {
          type: "call",
          id: toFunctionCallId(call["name"]),
          name: call["name"],
          arguments: toText(call["arguments"])
        }
      ]
    : []

export const toFunctionCallId = (name: string): string => `function_${name}`

const toText = (value: unknown): string => (typeof value === "string" ? value : "")

/** The message without its role: texts are joined, because chat has one content. */
export const writeAssistantMessage = (parts: ReadonlyArray<Part>): Json => {
  const said = parts.filter(
    (part) => spokenTypes.has(part.type) && !(part.type === "opaque" && part.dialect !== "chat")
  )
  const isText = said.every((part) => part.type === "text" && part.cache === undefined)
  const texts = said.flatMap((part) => (part.type === "text" ? [part.text] : []))
  const refusals = parts.flatMap((part) => (part.type === "refusal" ? [part.refusal] : []))
  const calls = parts.filter((part) => part.type === "call")
  const details = writeReasoningDetails(parts)
  const thoughts = parts.flatMap((part) =>
    part.type === "reasoning" && part.text !== undefined ? [part.text] : []
  )
  return {
    content: said.length === 0 ? null : isText ? texts.join("") : said.flatMap(writePart),
    ...(refusals.length === 0 ? undefined : { refusal: refusals.join("") }),
    ...(calls.length === 0 ? undefined : { tool_calls: calls.map(writeCall) }),
    ...(thoughts.length === 0 ? undefined : { reasoning: thoughts.join("") }),
    ...(details.length === 0 ? undefined : { reasoning_details: details })
  }
}

const spokenTypes: ReadonlySet<Part["type"]> = new Set([
  "audio",
  "file",
  "image",
  "opaque",
  "text",
  "video"
])

const writeCall = (call: CallPart): Json => ({
  id: call.id,
  ...(call.isCustom === true
    ? { type: "custom", custom: { name: call.name, input: call.arguments } }
    : { type: "function", function: { name: call.name, arguments: call.arguments || "{}" } }),
  ...writeCacheMark(call)
})
