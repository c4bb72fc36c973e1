/** Assistant turns as messages of OpenAI's chat dialect, in requests and answers. */
import type { CallPart, Part, ReasoningPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { readCallFields } from "./callFields.ts"
import { findSignature, googleFormat } from "./googleSignatures.ts"
import { findReasoningText } from "./reasoningText.ts"
import { parseContent } from "./parseContent.ts"
import { attachSignatures, parseReasoning, writeReasoningDetails } from "./reasoningDetails.ts"
import { findDetails } from "./thinkingBlocks.ts"
import { writeCacheMark, writePart } from "./writeContent.ts"

type Json = Readonly<Record<string, unknown>>

/** Reasoning comes first, then the text, then the calls: the message contains no other order. */
export const parseAssistantMessage = (message: Json): ReadonlyArray<Part> => {
  const { content, function_call, refusal, tool_calls } = message
  return attachSignatures([
    ...parseReasoning(findDetails(message), findReasoningText(message)),
    ...parseContent(content),
    ...(typeof refusal === "string" && refusal !== ""
      ? [{ type: "refusal" as const, refusal }]
      : []),
    ...(Array.isArray(tool_calls) ? tool_calls.flatMap(parseCall) : []),
    ...parseFunctionCall(function_call),
    ...parseSignature(message)
  ])
}

const parseCall = (call: unknown): ReadonlyArray<CallPart | ReasoningPart> => {
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
    { type: "call", id, name: toText(called["name"]), arguments: toText(called["arguments"]) },
    ...parseSignature(call, id)
  ]
}

/** Reads the signature where Google's endpoint for this dialect writes it; `attachSignatures` moves it to its part. */
const parseSignature = (said: Json, id?: string): ReadonlyArray<ReasoningPart> => {
  const encrypted = findSignature(said)
  return encrypted === undefined
    ? []
    : [{ type: "reasoning", format: googleFormat, encrypted, ...(id === undefined ? {} : { id }) }]
}

/** The form that predates tools has no ids: a result follows its call at once. */
const parseFunctionCall = (call: unknown): ReadonlyArray<CallPart> =>
  isObject(call) && typeof call["name"] === "string"
    ? [
        {
          type: "call",
          id: toFunctionCallId(call["name"]),
          name: call["name"],
          arguments: readCallFields(call).text
        }
      ]
    : []

export const toFunctionCallId = (name: string): string => `function_${name}`

const toText = (value: unknown): string => (typeof value === "string" ? value : "")

/** The message without its role: texts are joined, because chat has one content. */
export const writeAssistantMessage = (parts: ReadonlyArray<Part>): Json => {
  const said: Array<Part> = []
  const calls: Array<Json> = []
  let isText = true
  let text = ""
  let refusal: string | undefined
  let reasoning: string | undefined
  for (const part of parts) {
    switch (part.type) {
      case "text":
        said.push(part)
        text += part.text
        if (part.cache !== undefined) isText = false
        break
      case "opaque":
        if (part.dialect !== "chat") break
        said.push(part)
        isText = false
        break
      case "audio":
      case "file":
      case "image":
      case "video":
        said.push(part)
        isText = false
        break
      case "refusal":
        refusal = (refusal ?? "") + part.refusal
        break
      case "call":
        calls.push(writeCall(part))
        break
      case "reasoning":
        if (part.text !== undefined) reasoning = (reasoning ?? "") + part.text
        break
      case "result":
        break
    }
  }
  const details = writeReasoningDetails(parts)
  return {
    content: said.length === 0 ? null : isText ? text : said.flatMap(writePart),
    ...omitUndefined({
      refusal,
      tool_calls: calls.length === 0 ? undefined : calls,
      reasoning,
      reasoning_details: details.length === 0 ? undefined : details
    })
  }
}

const writeCall = (call: CallPart): Json => ({
  id: call.id,
  ...(call.isCustom === true
    ? { type: "custom", custom: { name: call.name, input: call.arguments } }
    : { type: "function", function: { name: call.name, arguments: call.arguments || "{}" } }),
  ...writeCacheMark(call)
})
