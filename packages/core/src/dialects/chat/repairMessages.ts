/**
 * Writes the calls and results of earlier turns as OpenAI's dialect has them: some clients send back what lenient servers
 * answer and take (https://github.com/bytedance/deer-flow/issues/4445).
 */
import { isObject } from "../../values/json/guards.ts"
import { decodeTwice, listCalls, readCallFields } from "./callFields.ts"
import { restoreSignatures } from "./googleSignatures.ts"
import { writeCall } from "./fitCalls.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * Repairs messages that differ from the dialect. Calls without ids get ids, and their results the same ids. Arguments
 * become the text of an object, and results a text or a list of parts. Messages that need no repair are the same
 * objects.
 */
export const repairMessages = <M>(messages: ReadonlyArray<M>): ReadonlyArray<M> => {
  let repaired: Array<M> | undefined
  /** The ids of the calls so far that came without one, and have no result yet. */
  const open: Array<string> = []
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]
    if (!isObject(message)) continue
    const other = repairMessage(message, at, open)
    if (other === message) continue
    repaired ??= [...messages]
    repaired[at] = other
  }
  return repaired ?? messages
}

const repairMessage = <M extends Json>(message: M, at: number, open: Array<string>): M => {
  switch (message["role"]) {
    case "assistant":
      return restoreSignatures(repairCalls(message, at, open))
    case "tool":
      return repairResult(repairResultId(message, open))
    case "function":
      return repairResult(message)
    default:
      return message
  }
}

const repairCalls = <M extends Json>(message: M, at: number, open: Array<string>): M => {
  const { tool_calls } = message
  if (!hasOddCalls(tool_calls)) return message
  const calls = listCalls(tool_calls).map((call, index) => {
    if (!isObject(call)) return call
    const madeId = `call_${at}_${index}`
    if (!hasId(call["id"])) open.push(madeId)
    return repairCall(call, madeId)
  })
  return { ...message, tool_calls: calls }
}

const repairResultId = <M extends Json>(message: M, open: Array<string>): M => {
  const { tool_call_id: id } = message
  if (typeof id === "string" && id !== "") return message
  const repaired = typeof id === "number" ? String(id) : open.shift()
  return repaired === undefined ? message : { ...message, tool_call_id: repaired }
}

const repairResult = <M extends Json>(message: M): M =>
  isOddResult(message["content"])
    ? { ...message, content: toResultContent(message["content"]) }
    : message

const hasId = (id: unknown): boolean =>
  (typeof id === "string" && id !== "") || typeof id === "number"

const hasOddCalls = (calls: unknown): boolean =>
  calls !== undefined &&
  calls !== null &&
  (!Array.isArray(calls) || calls.some((call) => isObject(call) && isOddCall(call)))

const isOddCall = ({ custom, function: called, id, type }: Json): boolean => {
  if (typeof id !== "string" || id === "") return true
  if (isObject(custom)) return typeof custom["input"] !== "string"
  if (!isObject(called)) return type === undefined || type === "function"
  const { arguments: text } = called
  return typeof text !== "string" || type === undefined || decodeTwice(text) !== text
}

const repairCall = (call: Json, madeId: string): Json => {
  const { id = madeId, isCustom, name, text } = readCallFields(call)
  if (name === undefined) return call
  return writeCall(call, { id, name, text: isCustom ? text : decodeTwice(text || "{}") })
}

/** A list whose items are not parts is data. */
const isOddResult = (content: unknown): boolean =>
  Array.isArray(content)
    ? !content.every((part) => typeof part === "string" || isPart(part))
    : typeof content !== "string" && content !== undefined && content !== null

const isPart = (part: unknown): boolean => isObject(part) && typeof part["type"] === "string"

const toResultContent = (content: unknown): unknown =>
  isObject(content) && content["type"] === "text" && typeof content["text"] === "string"
    ? content["text"]
    : JSON.stringify(content)
