/**
 * Passes on the system prompt and the messages of a request to Anthropic's API, without parts that the API would
 * refuse.
 */
import { isObject } from "../../values/json/guards.ts"
import { writeArguments } from "../CalledTool.ts"
import { foreignPrefix } from "../reasoningFamily.ts"
import { replaceFields, type RequestChanges } from "../RequestChanges.ts"
import type { Path } from "../UntranslatableRequest.ts"
import { messagesIds, toDialectId } from "../toDialectId.ts"
import { omitForeignCitations } from "./citations.ts"
import { emptyText, fillEmptyMessages, isBlank } from "./blankTexts.ts"

type Json = Readonly<Record<string, unknown>>

/** The same field `system`, if nothing of it changes; undefined without an instruction. */
export const passSystem = (system: unknown, changes: RequestChanges): unknown => {
  const passed = passContent(system, ["system"], changes)
  return passed !== system && isEmptyContent(passed) ? undefined : passed
}

/** The same messages, where nothing of them would be refused. */
export const passTurns = (
  messages: ReadonlyArray<unknown>,
  changes: RequestChanges
): ReadonlyArray<unknown> => {
  // Most messages are a text each.
  if (messages.every(isTextMessage)) return trimLast(messages, messages.length - 1, changes)
  const passed = messages.map((message, index): Json | undefined => {
    if (!isObject(message)) return undefined
    const content = passContent(message["content"], ["messages", index, "content"], changes)
    return content === message["content"] ? message : replaceFields(message, { content })
  })
  // The API itself refuses messages that are not objects.
  if (!passed.every((message) => message !== undefined)) return messages
  const filled = fillEmptyMessages(
    passed,
    ({ content }) => isEmptyContent(content),
    (message, index) => {
      changes.add(["messages", index, "content"])
      return replaceFields(message, { content: emptyText })
    }
  )
  return trimLast(filled, messages.length - 1, changes)
}

const isTextMessage = (message: unknown): message is Json =>
  isObject(message) && typeof message["content"] === "string" && !isBlank(message["content"])

const isEmptyContent = (content: unknown): boolean =>
  content === "" || (Array.isArray(content) && content.length === 0)

/** The same content, or that without blocks that would be refused. */
const passContent = (content: unknown, path: Path, changes: RequestChanges): unknown => {
  if (typeof content === "string") {
    if (content === "" || !isBlank(content)) return content
    changes.add(path)
    return ""
  }
  if (!Array.isArray(content)) return content
  let passed: Array<unknown> | undefined
  for (const [index, block] of content.entries()) {
    const kept = passBlock(block, [...path, index], changes)
    if (passed === undefined && kept !== block) passed = content.slice(0, index)
    if (passed === undefined) continue
    if (kept !== undefined) passed.push(kept)
    else moveMark(block, passed)
  }
  return passed ?? content
}

/** Undefined: it is left out. */
const passBlock = (block: unknown, path: Path, changes: RequestChanges): unknown => {
  if (!isObject(block)) return block
  const { content, text, type } = block
  if (type === "text" && typeof text === "string" && isBlank(text)) {
    if (text !== "") changes.add(path)
    return undefined
  }
  if (type === "text") return omitForeignCitations(block)
  if (type === "tool_result") {
    const passed = passContent(content, [...path, "content"], changes)
    const fitted = fitId(block, "tool_use_id")
    if (passed === content) return fitted
    return replaceFields(fitted, { content: isEmptyContent(passed) ? undefined : passed })
  }
  if (type === "tool_use") {
    const { input } = block
    const fitted = fitId(block, "id")
    if (isObject(input)) return fitted
    const call = { arguments: typeof input === "string" ? input : JSON.stringify(input ?? {}) }
    changes.add([...path, "input"])
    return replaceFields(fitted, { input: writeArguments(call) })
  }
  return isUnreadable(block) ? undefined : block
}

/** The id of an earlier call may come from another provider, with other characters. */
const fitId = (block: Json, name: "id" | "tool_use_id"): Json => {
  const id = block[name]
  if (typeof id !== "string") return block
  const fitted = toDialectId(id, messagesIds)
  return fitted === id ? block : replaceFields(block, { [name]: fitted })
}

/** The prefix that a blank text marks for the cache ends with what stands before it. */
const moveMark = (left: unknown, passed: Array<unknown>): void => {
  const last = passed.at(-1)
  if (!isObject(left) || left["type"] !== "text" || !isObject(last)) return
  const { cache_control } = left
  if (cache_control === undefined || last["cache_control"] !== undefined) return
  if (last["type"] !== "thinking" && last["type"] !== "redacted_thinking") {
    passed[passed.length - 1] = { ...last, cache_control }
  }
}

/** Thinking that Anthropic did not sign. */
const isUnreadable = ({ data, signature, type }: Json): boolean => {
  if (type !== "thinking" && type !== "redacted_thinking") return false
  const proof = type === "thinking" ? signature : data
  return typeof proof !== "string" || proof === "" || proof.startsWith(foreignPrefix)
}

/** White space at the end of a prefilled answer is rejected: https://github.com/tailcallhq/forgecode/issues/1872. */
const trimLast = (
  messages: ReadonlyArray<Json>,
  index: number,
  changes: RequestChanges
): ReadonlyArray<Json> => {
  const last = messages.at(-1)
  if (last?.["role"] !== "assistant") return messages
  const content = trimContent(last["content"])
  if (content === last["content"]) return messages
  changes.add(["messages", index, "content"])
  return [...messages.slice(0, -1), replaceFields(last, { content })]
}

const trimContent = (content: unknown): unknown => {
  if (typeof content === "string") return content.trimEnd()
  const block: unknown = Array.isArray(content) ? content.at(-1) : undefined
  if (!Array.isArray(content) || !isObject(block) || typeof block["text"] !== "string") {
    return content
  }
  const text = block["text"].trimEnd()
  return text === block["text"] ? content : [...content.slice(0, -1), { ...block, text }]
}
