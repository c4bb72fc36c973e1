/** Parses the input of a request: a text, or a list of items. */
import type { Turn } from "../../conversation/Conversation.ts"
import type { CallPart, Part, ResultPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { attachSignatures } from "../chat/reasoningDetails.ts"
import { isEmpty, omitFields, type Path, type RequestProblems } from "../UntranslatableRequest.ts"
import { findNonEmptyText, type Json, toExtra } from "./fields.ts"
import { parseContent } from "./parseContent.ts"
import { openaiFormat, parseReasoningItem } from "./parseReasoningItem.ts"

/**
 * Makes one turn for each message of a user or system. Thoughts, texts and calls of the model in a row are one turn,
 * and so are outputs in a row. A message of the model after another one is a turn of its own, or their texts would run
 * together.
 */
export const parseInput = (input: unknown, problems: RequestProblems): ReadonlyArray<Turn> => {
  if (typeof input === "string") {
    return [{ role: "user", parts: input === "" ? [] : [{ type: "text", text: input }] }]
  }
  if (!Array.isArray(input)) {
    problems.add(["input"], "must be a string or a list of items")
    return []
  }
  const parser = new InputParser(problems)
  for (const [index, item] of input.entries()) parser.parse(item, ["input", index])
  // Signatures of calls and texts travel in items of their own.
  return parser.turns.map((turn) =>
    turn.role === "assistant" ? { ...turn, parts: attachSignatures(turn.parts) } : turn
  )
}

class InputParser {
  readonly turns: Array<Turn> = []
  readonly #calls = new Set<string>()
  /** The parts of the last turn, to which more are added. */
  #open: { readonly role: Turn["role"]; readonly parts: Array<Part> } | undefined

  readonly #problems: RequestProblems

  constructor(problems: RequestProblems) {
    this.#problems = problems
  }

  parse(item: unknown, path: Path): void {
    if (!isObject(item)) return this.#problems.add(path, "must be an object")
    const type = item["type"] ?? (item["role"] === undefined ? undefined : "message")
    switch (type) {
      case undefined:
        return this.#problems.add([...path, "type"], "is required")
      case "message":
        return this.#parseMessage(item, path)
      case "function_call":
      case "custom_tool_call":
        return this.#parseCall(item, type === "custom_tool_call", path)
      case "function_call_output":
      case "custom_tool_call_output":
        return this.#parseOutput(item, type === "custom_tool_call_output", path)
      case "reasoning":
        return this.#add("assistant", parseReasoningItem(item, findReasoningFormat(item)))
      case "item_reference":
        return this.#parseReference(item, path)
      default:
        if (typeof type !== "string") this.#problems.add([...path, "type"], "must be a string")
        return this.#add("assistant", [{ type: "opaque", dialect: "responses", raw: item }])
    }
  }

  #parseMessage(item: Json, path: Path): void {
    const { content, role } = item
    const fields = omitFields(item, messageNames)
    switch (role) {
      case "assistant": {
        const said = parseSaid(content, fields, [...path, "content"], this.#problems)
        if (said.length > 0 && isText(this.#open?.parts.at(-1))) this.#open = undefined
        return this.#add("assistant", said)
      }
      case "user":
      case "system":
      case "developer": {
        const parts = parseContent(content, [...path, "content"], this.#problems)
        this.#open = undefined
        this.turns.push({
          role: role === "user" ? "user" : "system",
          parts,
          ...toExtra(role === "developer" ? { ...fields, role } : fields)
        })
        return
      }
      default:
        this.#problems.add([...path, "role"], "must be user, assistant, system or developer")
    }
  }

  #parseCall(item: Json, isCustom: boolean, path: Path): void {
    const id = this.#requireText(item, "call_id", path)
    const name = isCustom ? "input" : "arguments"
    const value = item[name]
    const given = typeof value === "string" || isObject(value) ? toText(value) : undefined
    const call: CallPart = {
      type: "call",
      id,
      name: this.#requireText(item, "name", path),
      arguments: given ?? "",
      ...(isCustom ? { isCustom: true as const } : undefined),
      ...toNamespace(item),
      ...toExtra(omitFields(item, callNames))
    }
    if (given === undefined) this.#problems.add([...path, name], "must be a string")
    this.#calls.add(id)
    this.#add("assistant", [call])
  }

  #parseOutput(item: Json, isCustom: boolean, path: Path): void {
    const callId = this.#requireText(item, "call_id", path)
    if (!this.#calls.has(callId)) {
      this.#problems.add(path, `the output of the call "${callId}" follows no such call`)
    }
    const result: ResultPart = {
      type: "result",
      callId,
      content: parseContent(toOutput(item["output"]), [...path, "output"], this.#problems),
      ...(isCustom ? { isCustom: true as const } : undefined),
      ...toExtra(omitFields(item, outputNames))
    }
    this.#add("tool", [result])
  }

  /** Responses are not stored, so a reference finds nothing. Reasoning may be missing; messages and calls may not. */
  #parseReference({ id }: Json, path: Path): void {
    if (typeof id === "string" && id.startsWith("rs_")) return
    this.#problems.add(
      path,
      "refers to a stored item, but nothing is stored: send the item itself, which clients do with `store: false`"
    )
  }

  #requireText(item: Json, name: string, path: Path): string {
    const text = findNonEmptyText(item[name])
    if (text === undefined) this.#problems.add([...path, name], "must be a string")
    return text ?? ""
  }

  #add(role: "assistant" | "tool", parts: ReadonlyArray<Part>): void {
    if (parts.length === 0) return
    if (this.#open?.role !== role) {
      const open = { role, parts: [] }
      this.#open = open
      this.turns.push(open)
    }
    this.#open?.parts.push(...parts)
  }
}

/** Some clients send what a tool returned, and what a model called with, as they are. */
export const toOutput = (output: unknown): unknown =>
  Array.isArray(output)
    ? output.every((part) => isObject(part) && typeof part["type"] === "string")
      ? output
      : JSON.stringify(output)
    : (toText(output) ?? output)

export const toText = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  return isObject(value) || typeof value === "number" || typeof value === "boolean"
    ? JSON.stringify(value)
    : undefined
}

/** Ids of items are never looked up. */
const messageNames: ReadonlySet<string> = new Set(["type", "role", "content", "id", "status"])
const callNames: ReadonlySet<string> = new Set([
  "type",
  "id",
  "status",
  "call_id",
  "name",
  "arguments",
  "input",
  "namespace"
])
const outputNames: ReadonlySet<string> = new Set(["type", "id", "status", "call_id", "output"])

/** Reasoning without encrypted content is unsigned, so its provider is unknown. */
const findReasoningFormat = ({ encrypted_content }: Json): string =>
  findNonEmptyText(encrypted_content) === undefined ? "unknown" : openaiFormat

const toNamespace = (item: Json): { readonly namespace?: string } => {
  const namespace = findNonEmptyText(item["namespace"])
  return namespace === undefined ? {} : { namespace }
}

/** `fields` are the fields of the message, such as its phase, which each of its parts keeps. */
const parseSaid = (
  content: unknown,
  fields: Json,
  path: Path,
  problems: RequestProblems
): ReadonlyArray<Part> => {
  const message = isEmpty(fields) ? undefined : { message: fields }
  if (typeof content === "string") {
    return content === "" ? [] : [{ type: "text", text: content, ...toExtra({ ...message }) }]
  }
  if (!Array.isArray(content)) {
    problems.add(path, "must be a string or a list of parts")
    return []
  }
  return content.flatMap((part: unknown, index): ReadonlyArray<Part> => {
    if (!isObject(part)) {
      problems.add([...path, index], "must be an object")
      return []
    }
    const { refusal, text, type } = part
    if (type === "refusal" && typeof refusal === "string") return [{ type, refusal }]
    if (typeof text === "string" && textTypes.has(type)) {
      if (text === "") return []
      const own = omitFields(part, textNames)
      const marks = Object.fromEntries(
        Object.entries(own).filter(([, value]) => !Array.isArray(value) || value.length > 0)
      )
      return [{ type: "text", text, ...toExtra({ ...marks, ...message }) }]
    }
    const raw = { type: "message", role: "assistant", content: [part], ...fields }
    return [{ type: "opaque", dialect: "responses", raw }]
  })
}

const isText = (part: Part | undefined): boolean => part?.type === "text"

/** The types of texts in messages. */
export const textTypes: ReadonlySet<unknown> = new Set(["input_text", "output_text", "text"])
const textNames: ReadonlySet<string> = new Set(["type", "text"])
