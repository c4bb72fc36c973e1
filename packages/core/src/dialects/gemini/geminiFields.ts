/** Fields that only Google's API has, and its names for fields. */
import type { Extra } from "../../conversation/Dialect.ts"
import { setOwn } from "../../values/ownFields.ts"
import { isEmpty, omitFields } from "../UntranslatableRequest.ts"

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
