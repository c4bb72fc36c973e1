/** Fields that only Anthropic's API has, and marks that it shares with others. */
import type { Extra } from "../../conversation/Dialect.ts"
import type { CacheMark } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { isEmpty, omitFields } from "../UntranslatableRequest.ts"

type Json = Readonly<Record<string, unknown>>

/** The fields of `json` that have no neutral form, and its mark. */
export const parseExtra = (
  json: Json,
  translated: ReadonlySet<string>
): { readonly cache?: CacheMark; readonly extra?: Extra } => {
  if (!hasOthers(json, translated)) return noExtra
  const { cache_control: mark, ...fields } = omitFields(json, translated)
  const cache = parseCacheMark(mark)
  return {
    ...(cache === undefined ? undefined : { cache }),
    ...(isEmpty(fields) ? undefined : { extra: toExtra(fields) })
  }
}

const noExtra = {}

/** Most blocks have only fields that are translated. */
const hasOthers = (json: Json, names: ReadonlySet<string>): boolean => {
  for (const name in json) if (!names.has(name)) return true
  return false
}

/** Marks a part that stands for a piece of a block, which is whole in another part. */
export const withinDocument: Json = { type: "" }

export const toExtra = (fields: Json): Extra => ({ dialect: "messages", fields })

export const parseCacheMark = (mark: unknown): CacheMark | undefined => {
  if (!isObject(mark) || mark["type"] !== "ephemeral") return undefined
  const { ttl } = mark
  return { type: "ephemeral", ...(typeof ttl === "string" ? { ttl } : undefined) }
}

export const getExtraFields = (extra: Extra | undefined): Json =>
  extra?.dialect === "messages" ? extra.fields : none

export const writeCacheMark = (cache: CacheMark | undefined): Json =>
  cache === undefined ? none : { cache_control: cache }

const none: Json = {}
