/** Reads the fields of a call, or a piece of one, from any server. */
import { findJson, isObject } from "../../values/json/guards.ts"

type Json = Readonly<Record<string, unknown>>

/** The fields of a call, or of a piece of one; undefined fields are missing. */
export interface CallFields {
  readonly id: string | undefined
  readonly name: string | undefined
  /** The namespace of the tool, in Responses. */
  readonly namespace: string | undefined
  readonly isCustom: boolean
  /** Text of the arguments, or of the input of a tool of free text. */
  readonly text: string
}

/** A single call may stand without a list around it. */
export const listCalls = (calls: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(calls)) return calls
  return isObject(calls) ? [calls] : []
}

/** Name and arguments may stand without an object around them, and ids may be numbers. */
export const readCallFields = (call: Json): CallFields => {
  const { custom, function: called, id } = call
  const isCustom = isObject(custom)
  const said = isCustom ? custom : isObject(called) ? called : call
  return {
    id: typeof id === "number" ? String(id) : findText(id),
    name: findText(said["name"]),
    namespace: findText(call["namespace"]),
    isCustom,
    text: writeText(said[isCustom ? "input" : "arguments"])
  }
}

/**
 * The JSON text that the dialect promises, of whole arguments. llama.cpp has written the object itself
 * (https://github.com/ggml-org/llama.cpp/issues/20198), vLLM the text of a text (https://github.com/vllm-project/vllm/pull/54964).
 */
export const toObjectText = (text: string): string => {
  const trimmed = text.trim()
  return trimmed === "" || trimmed === "null" ? "{}" : decodeTwice(text)
}

/** Whether arguments begin as an object does not. */
export const isOddStart = (text: string): boolean => /^\s*(?:"|null\s*$)/.test(text)

/** The same text when it is not one of the text of an object. */
export const decodeTwice = (text: string): string => {
  if (!isOddStart(text)) return text
  const decoded = findJson(text)
  return typeof decoded === "string" && isObject(findJson(decoded)) ? decoded : text
}

const writeText = (value: unknown): string => {
  if (typeof value === "string") return value
  if (value === undefined || value === null) return ""
  // Languages that do not tell them apart write no arguments as an empty list.
  return Array.isArray(value) && value.length === 0 ? "" : JSON.stringify(value)
}

const findText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined
