/** The schema of a tool as Moonshot takes it: "when using anyOf, type should be defined in anyOf items instead of the parent schema". */
import { isObject, toList } from "../../values/json/guards.ts"
import { joinBranches } from "../joinBranches.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * At the top an object without a choice, and elsewhere the type in each branch of one
 * (https://github.com/MoonshotAI/kimi-cli/issues/2531). A reference stands alone
 * (https://github.com/MoonshotAI/kimi-cli/issues/2061). The same object where it is so already.
 */
export const toMoonshotSchema = (parameters: Json): Json => {
  const joined = fitKeywords(joinBranches(parameters))
  return joined["type"] === "object" ? joined : { ...joined, type: "object" }
}

const fitSchema = (schema: unknown): unknown => {
  if (!isObject(schema)) return schema
  const { $ref, anyOf, oneOf, type, ...rest } = schema
  if (typeof $ref === "string") return Object.keys(schema).length === 1 ? schema : { $ref }
  const branches = Array.isArray(anyOf) ? anyOf : oneOf
  if (!Array.isArray(branches)) return fitKeywords(schema)
  if (type === undefined && branches !== oneOf) return fitKeywords(schema)
  const typed = toList(branches).map((branch) =>
    isObject(branch) && type !== undefined && branch["type"] === undefined
      ? { type, ...branch }
      : branch
  )
  return fitKeywords({ ...rest, anyOf: typed })
}

const fitKeywords = (schema: Json): Json => {
  let fitted: Record<string, unknown> | undefined
  for (const name of Object.keys(schema)) {
    const value = schema[name]
    const other = fitKeyword(name, value)
    if (other !== value) (fitted ??= { ...schema })[name] = other
  }
  return fitted ?? schema
}

const fitKeyword = (name: string, value: unknown): unknown => {
  if (mapNames.has(name) && isObject(value)) {
    const entries = Object.entries(value)
    const fitted = entries.map(([key, each]) => [key, fitSchema(each)] as const)
    return fitted.some(([, each], at) => each !== entries[at]?.[1])
      ? Object.fromEntries(fitted)
      : value
  }
  if (!schemaNames.has(name)) return value
  if (!Array.isArray(value)) return fitSchema(value)
  const fitted = value.map(fitSchema)
  return fitted.some((each, at) => each !== value[at]) ? fitted : value
}

const mapNames: ReadonlySet<string> = new Set(["$defs", "definitions", "properties"])

const schemaNames: ReadonlySet<string> = new Set([
  "additionalProperties",
  "allOf",
  "anyOf",
  "items",
  "oneOf"
])
