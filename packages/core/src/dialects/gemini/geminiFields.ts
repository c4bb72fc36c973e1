/** Fields that only Google's API has, and its names for fields. */
import type { Extra } from "../../conversation/Dialect.ts"
import type { Part, TextPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { setOwn } from "../../values/ownFields.ts"
import { findText, isEmpty, omitFields } from "../readField.ts"
import { type IdRules, messagesIds, responsesIds, toDialectId } from "../toDialectId.ts"

export type Json = Readonly<Record<string, unknown>>

/**
 * The fields of one message by their names in camel case, without fields that are null: the API takes names in snake
 * case too. Values are not changed, because schemas, arguments and results have names of the caller.
 */
export const toCamelCase = (json: Json): Json => {
  const fields: Record<string, unknown> = {}
  for (const name in json) {
    const value = json[name]
    if (value === null || value === undefined) continue
    setOwn(fields, toCamelName(name), value)
  }
  return fields
}

export const toCamelName = (name: string): string =>
  snakeCase.test(name) ? name.replaceAll(/_[a-z]/g, toCapital) : name

const snakeCase = /^[a-z]+(?:_[a-z]+)+$/

const toCapital = (match: string): string => match.slice(1).toUpperCase()

/** The fields of `json` that have no neutral form. */
export const parseExtra = (
  json: Json,
  translated: ReadonlySet<string>
): { readonly extra?: Extra } => toExtra(omitFields(json, translated))

/** No fields: no `extra`. */
export const toExtra = (fields: Json): { readonly extra?: Extra } =>
  isEmpty(fields) ? none : { extra: { dialect: "gemini", fields } }

export const getExtraFields = (extra: Extra | undefined): Json =>
  extra?.dialect === "gemini" ? extra.fields : none

const none: Json = {}

/** `getStem`: what tells this answer from others, such as its id, because a conversation holds the calls of several. */
export const makeCallIds = (getStem: () => string, candidate: number): (() => string) => {
  let stem: string | undefined
  let calls = 0
  return () => {
    stem ??= getStem()
    return toDialectId(`call_${stem}_${candidate}_${calls++}`, anyDialect)
  }
}

/** Rules that satisfy every dialect. */
const anyDialect: IdRules = {
  maxLength: responsesIds.maxLength,
  refused: messagesIds.refused
}

/** Code that the provider ran, or its output, as a block of Markdown; undefined: the part is neither. */
export const toCodeText = (part: Part): TextPart | undefined => {
  if (part.type !== "opaque" || !isObject(part.raw)) return undefined
  const { codeExecutionResult: result, executableCode: code } = toCamelCase(part.raw)
  if (isObject(code)) {
    const language = findText(code, "language")?.toLowerCase() ?? ""
    const isNamed = language !== "" && language !== "language_unspecified"
    return { type: "text", text: writeBlock(isNamed ? language : "", findText(code, "code") ?? "") }
  }
  if (!isObject(result)) return undefined
  const output = findText(result, "output") ?? findText(result, "outcome") ?? ""
  return { type: "text", text: writeBlock("", output) }
}

/** The fence is longer than any in the text. */
const writeBlock = (language: string, text: string): string => {
  const runs = (text.match(/`+/g) ?? []).map(({ length }) => length)
  const fence = "`".repeat(Math.max(2, ...runs) + 1)
  return `\n${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}\n`
}
