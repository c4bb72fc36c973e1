/** Renders JSON schemas as types, which are shorter than the schemas and easier to read. */
import { escapeHtml } from "../../values/render/renderPage.ts"
import { isObject } from "../../values/json/guards.ts"

/** Markup for an element of preformatted text. Named schemas are links to `#schema-<name>`. */
export const renderSchema = (schema: unknown, indent = ""): string => {
  if (!isObject(schema)) return "unknown"
  const { $ref: ref, allOf, anyOf, oneOf } = schema
  if (typeof ref === "string") return renderLink(ref)
  if (Array.isArray(schema["enum"])) return unite(schema["enum"].map(renderValue))
  if ("const" in schema) return renderValue(schema["const"])
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) return unite(choices.map((each) => renderSchema(each, indent)))
  const own = renderType(schema, indent)
  const parts = Array.isArray(allOf) ? allOf.map((each) => renderSchema(each, indent)) : []
  const all = [own, ...parts].filter((part) => part !== "unknown" && part !== anyObject)
  return all.length === 0 ? own : [...new Set(all)].join(" &amp; ")
}

const renderLink = (ref: string): string => {
  const name = escapeHtml(ref.slice(ref.lastIndexOf("/") + 1))
  return `<a href="#schema-${name}">${name}</a>`
}

const renderValue = (value: unknown): string => escapeHtml(JSON.stringify(value) ?? "unknown")

const unite = (types: ReadonlyArray<string>): string => [...new Set(types)].join(" | ")

const anyObject = "{ [key]: unknown }"

const renderType = (schema: Readonly<Record<string, unknown>>, indent: string): string => {
  const { items, prefixItems, properties, type } = schema
  switch (type) {
    case "array":
      return Array.isArray(prefixItems)
        ? `[${prefixItems.map((each) => renderSchema(each, indent)).join(", ")}]`
        : `Array&lt;${renderSchema(items, indent)}&gt;`
    case "object":
      return isObject(properties) && Object.keys(properties).length > 0
        ? renderFields(properties, schema["required"], indent)
        : `{ [key]: ${renderSchema(schema["additionalProperties"], indent)} }`
    default:
      return typeof type === "string" ? escapeHtml(type) + renderBounds(schema) : "unknown"
  }
}

const renderFields = (
  properties: Readonly<Record<string, unknown>>,
  required: unknown,
  indent: string
): string => {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const isRequired = Array.isArray(required) && required.includes(name)
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    const type = renderSchema(schema, inner)
    return `${inner}${escapeHtml(key)}${isRequired ? "" : "?"}: ${type}${renderDescription(schema)}`
  })
  return `{\n${lines.join("\n")}\n${indent}}`
}

const renderDescription = (schema: unknown): string =>
  isObject(schema) && typeof schema["description"] === "string"
    ? `  <i>// ${escapeHtml(schema["description"])}</i>`
    : ""

/** A bound of every integer says nothing. */
const renderBounds = ({
  maxLength,
  maximum,
  minLength,
  minimum
}: Readonly<Record<string, unknown>>): string => {
  const [least, most] = [minimum ?? minLength, maximum ?? maxLength].map((bound) =>
    typeof bound === "number" && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined
  )
  if (least === undefined && most === undefined) return ""
  const unit = minLength === undefined && maxLength === undefined ? "" : " characters"
  if (least === undefined) return ` (at most ${most}${unit})`
  return most === undefined ? ` (at least ${least}${unit})` : ` (${least} to ${most}${unit})`
}
