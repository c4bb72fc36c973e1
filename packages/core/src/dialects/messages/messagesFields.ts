/** What only Anthropic's API says, and marks that it shares with others. */
import type { Extra } from "../../conversation/Dialect.ts"
import type { CacheMark } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/isObject.ts"
import { findField, omitFields } from "../readField.ts"

type Json = Readonly<Record<string, unknown>>

/** The fields of `json` that have no neutral form, and its mark. */
export const parseExtra = (
  json: Json,
  translated: ReadonlySet<string>
): { readonly cache?: CacheMark; readonly extra?: Extra } => {
  const fields = omitFields(json, new Set([...translated, "cache_control"]))
  const cache = parseCacheMark(findField(json, "cache_control"))
  return {
    ...(cache === undefined ? undefined : { cache }),
    ...(Object.keys(fields).length === 0 ? undefined : { extra: toExtra(fields) })
  }
}

export const toExtra = (fields: Json): Extra => ({ dialect: "messages", fields })

export const parseCacheMark = (mark: unknown): CacheMark | undefined => {
  if (!isObject(mark) || mark["type"] !== "ephemeral") return undefined
  const { ttl } = mark
  return { type: "ephemeral", ...(typeof ttl === "string" ? { ttl } : undefined) }
}

export const getExtraFields = (extra: Extra | undefined): Json =>
  extra?.dialect === "messages" ? extra.fields : {}

export const writeCacheMark = (cache: CacheMark | undefined): Json =>
  cache === undefined ? {} : { cache_control: cache }
