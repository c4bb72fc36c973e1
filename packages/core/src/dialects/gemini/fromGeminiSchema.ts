/** Schemas of Google's API, which are a part of OpenAPI's, as JSON schemas. */
import { isObject } from "../../values/json/guards.ts"
import { type Json, toCamelCase } from "./geminiFields.ts"

/** The same schema in the words of JSON Schema; keywords that it does not know are left out. */
export const fromGeminiSchema = (schema: Json): Json => {
  const { nullable, type, ...keywords } = toCamelCase(schema)
  const named = typeof type === "string" ? type.toLowerCase() : undefined
  return Object.fromEntries([
    ...(named === undefined || named === "type_unspecified"
      ? []
      : [["type", nullable === true ? [named, "null"] : named] as const]),
    ...Object.entries(keywords).flatMap(([name, value]): ReadonlyArray<[string, unknown]> => {
      const written = writeKeyword(name, value)
      return written === undefined ? [] : [[name, written]]
    })
  ])
}

const writeKeyword = (name: string, value: unknown): unknown => {
  switch (name) {
    case "propertyOrdering":
    case "example":
      return undefined
    case "items":
      return isObject(value) ? fromGeminiSchema(value) : value
    case "anyOf":
      return Array.isArray(value)
        ? value.map((each: unknown) => (isObject(each) ? fromGeminiSchema(each) : each))
        : value
    case "properties":
      return isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([key, each]) => [
              key,
              isObject(each) ? fromGeminiSchema(each) : each
            ])
          )
        : value
    case "maxItems":
    case "maxLength":
    case "maxProperties":
    case "minItems":
    case "minLength":
    case "minProperties":
      // 64-bit numbers are texts.
      return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value
    default:
      return value
  }
}
