/** Writes the command that calls an operation, to be pasted into a shell. */
import type { OpenAPISpecOperation } from "effect/http-api/OpenApi"
import { isObject } from "../../values/json/guards.ts"

/** `path` is below the address of the host; its parameters stay as `{name}`. */
export const renderCurl = (
  method: string,
  path: string,
  { parameters, requestBody, security }: OpenAPISpecOperation
): string => {
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name }) => `${name}={${name}}`)
  const target = query.length === 0 ? path : `${path}?${query.join("&")}`
  const body = requestBody?.content["application/json"]
  return [
    `curl${method === "GET" ? "" : ` -X ${method}`} "$SIGNALBOX_URL"${quote(target)}`,
    ...(security.length === 0 ? [] : ['-H "authorization: Bearer $SIGNALBOX_KEY"']),
    ...(body === undefined
      ? []
      : [
          "-H 'content-type: application/json'",
          `-d ${quote(JSON.stringify(makeSample(body.schema)) ?? "{}")}`
        ])
  ].join(" \\\n  ")
}

/** A shell changes nothing between single quotes. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The required fields, with a value of their type. */
const makeSample = (schema: unknown): unknown => {
  if (!isObject(schema)) return {}
  const { anyOf, enum: values, items, minItems, minimum, properties, required, type } = schema
  if (Array.isArray(values)) return values[0]
  if (Array.isArray(anyOf)) return makeSample(anyOf[0])
  switch (type) {
    case "string":
      return "..."
    case "integer":
    case "number":
      return typeof minimum === "number" && minimum > 0 ? minimum : 0
    case "boolean":
      return false
    case "null":
      return null
    case "array":
      return typeof minItems === "number" && minItems > 0 ? [makeSample(items)] : []
    default:
      return isObject(properties) && Array.isArray(required)
        ? Object.fromEntries(
            Object.entries(properties)
              .filter(([name]) => required.includes(name))
              .map(([name, each]) => [name, makeSample(each)])
          )
        : {}
  }
}
