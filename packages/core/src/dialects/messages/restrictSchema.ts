/** A JSON schema within what Anthropic's structured outputs accept. */
import { isObject } from "../../values/json/guards.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * Objects have no further properties, and limits of numbers and lengths become part of the description, so that the model
 * still knows them.
 */
export const restrictSchema = (schema: Json): Json => {
  const entries = Object.entries(schema)
  const limits = entries.filter(([name, value]) => isLimit(name, value))
  const kept = entries
    .filter(([name, value]) => name !== "additionalProperties" && !isLimit(name, value))
    .map(([name, value]): [string, unknown] => [
      // `oneOf` is refused, and of its branches no two fit the same value anyway.
      name === "oneOf" && schema["anyOf"] === undefined ? "anyOf" : name,
      restrictKeyword(name, value)
    ])
  const { description } = schema
  return Object.fromEntries([
    ...kept,
    ...(isObjectSchema(schema) ? [["additionalProperties", false] as const] : []),
    ...(limits.length === 0 ? [] : [["description", describe(description, limits)] as const])
  ])
}

const limitNames: ReadonlySet<string> = new Set([
  "exclusiveMaximum",
  "exclusiveMinimum",
  "maximum",
  "maxItems",
  "maxLength",
  "maxProperties",
  "minimum",
  "minItems",
  "minLength",
  "minProperties",
  "multipleOf"
])

const isLimit = (name: string, value: unknown): boolean => {
  if (name === "format") return typeof value === "string" && !formats.has(value)
  if (name === "uniqueItems") return typeof value === "boolean"
  return limitNames.has(name) && typeof value === "number" && !(name === "minItems" && value <= 1)
}

/** Those of texts that it knows: https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations. */
const formats: ReadonlySet<string> = new Set([
  "date",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "time",
  "uri",
  "uuid"
])

const isObjectSchema = ({ properties, type }: Json): boolean =>
  type === "object" ||
  (Array.isArray(type) && type.includes("object")) ||
  (type === undefined && properties !== undefined)

const describe = (description: unknown, limits: ReadonlyArray<[string, unknown]>): string => {
  const told = limits.map(([name, value]) => `${name}: ${String(value)}`).join(", ")
  return typeof description === "string" ? `${description}\n\n{${told}}` : `{${told}}`
}

const schemaNames: ReadonlySet<string> = new Set([
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then"
])
const listNames: ReadonlySet<string> = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"])
const mapNames: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
  "properties"
])

const restrictKeyword = (name: string, value: unknown): unknown => {
  if (Array.isArray(value)) return listNames.has(name) ? value.map(restrictValue) : value
  if (schemaNames.has(name)) return restrictValue(value)
  return mapNames.has(name) && isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, restrictValue(each)]))
    : value
}

const restrictValue = (value: unknown): unknown => (isObject(value) ? restrictSchema(value) : value)
