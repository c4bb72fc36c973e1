/** Renders the contract as one HTML page without scripts, which works under a strict Content-Security-Policy. */
import type { OpenAPISpec, OpenAPISpecOperation } from "effect/http-api/OpenApi"
import { isObject } from "../../values/json/guards.ts"
import { escapeHtml } from "../../values/render/renderPage.ts"
import { makeOpenApiDocument } from "./makeOpenApiDocument.ts"

/** Marks the mount in the page, which is rendered only once. */
const placeholder = "/{signalbox-mount}"

/** The parts of the page before, between and after each mount. */
export const renderReferencePage = (): ReadonlyArray<string> =>
  renderPage(makeOpenApiDocument("")).split(placeholder)

const renderPage = (document: OpenAPISpec): string => {
  const groups = Map.groupBy(listOperations(document), ({ operation }) => operation.tags[0])
  const { description = "", title, version } = document.info
  return [
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<title>${escapeHtml(title)} API</title><style>${style}</style>`,
    `<h1>${escapeHtml(title)} API ${escapeHtml(version)}</h1><p>${escapeHtml(description)}`,
    ` The same as an OpenAPI document: <a href="${placeholder}/api/v1/openapi.json">openapi.json</a>.</p>`,
    `<p>The examples take the address of the host and a key from the shell:</p>`,
    `<pre>export SIGNALBOX_URL=https://ai.example.com SIGNALBOX_KEY=sk-...</pre>`,
    `<nav>${[...groups.keys()].map((name) => `<a href="#${toAnchor(name)}">${escapeHtml(name)}</a>`).join(" ")} <a href="#schemas">Schemas</a></nav>`,
    ...[...groups].map(
      ([name, operations]) =>
        `<h2 id="${toAnchor(name)}">${escapeHtml(name)}</h2>${operations.map(renderOperation).join("\n")}`
    ),
    `<h2 id="schemas">Schemas</h2>`,
    ...Object.entries(document.components.schemas).map(
      ([name, schema]) =>
        `<h3 id="schema-${escapeHtml(name)}">${escapeHtml(name)}</h3><pre>${renderSchema(schema)}</pre>`
    ),
    "</html>\n"
  ].join("\n")
}

const methods = ["get", "post", "put", "patch", "delete"] as const

const listOperations = ({ paths }: OpenAPISpec): ReadonlyArray<ReferenceOperation> =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined
        ? []
        : [{ method: method.toUpperCase(), path: placeholder + path, operation }]
    })
  )

const toAnchor = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, "-")

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
html { max-width: 60rem; margin: 0 auto; padding: 1rem }
nav a { margin-right: .6rem }
details { border-bottom: 1px solid #8884; padding: .3rem 0 }
summary { cursor: pointer }
summary b { display: inline-block; min-width: 4rem }
pre { background: #8881; padding: .6rem; overflow-x: auto }
td { padding: .1rem .8rem .1rem 0; vertical-align: top }
`

interface ReferenceOperation {
  readonly method: string
  /** With the mount. */
  readonly path: string
  readonly operation: OpenAPISpecOperation
}

/** Opens without a script, also when its address is followed. */
const renderOperation = ({ method, operation, path }: ReferenceOperation): string => {
  const { description, operationId, parameters, requestBody, responses, summary } = operation
  const key = Object(operation)["x-required-key"]
  return [
    `<details id="${escapeHtml(operationId)}"><summary><b>${method}</b> <code>${escapeHtml(path)}</code> ${escapeHtml(summary ?? operationId)}</summary>`,
    ...[description, typeof key === "string" ? `Requires: ${key}.` : undefined].map((text) =>
      text === undefined ? "" : `<p>${escapeHtml(text)}</p>`
    ),
    renderParameters(parameters),
    ...Object.entries(requestBody?.content ?? {}).map(
      ([type, { schema }]) => `<h4>Body, ${escapeHtml(type)}</h4><pre>${renderSchema(schema)}</pre>`
    ),
    renderResponses(responses),
    `<h4>Example</h4><pre>${escapeHtml(renderCurl(method, path, operation))}</pre>`,
    "</details>"
  ].join("")
}

const renderParameters = (parameters: OpenAPISpecOperation["parameters"]): string => {
  if (parameters.length === 0) return ""
  const rows = parameters.map(({ description, in: place, name, required, schema }) => {
    const said = description ?? (isObject(schema) ? schema["description"] : undefined)
    return `<tr><td><code>${escapeHtml(name)}</code><td>${place}${required ? ", required" : ""}<td>${renderSchema(schema)}<td>${escapeHtml(typeof said === "string" ? said : "")}`
  })
  return `<h4>Parameters</h4><table>${rows.join("")}</table>`
}

const renderResponses = (responses: OpenAPISpecOperation["responses"]): string =>
  Object.entries(responses)
    .map(([status, { content = {}, description }]) => {
      const bodies = Object.entries(content).map(
        ([type, { schema }]) => `${escapeHtml(type)}\n${renderSchema(schema)}`
      )
      const body = bodies.length === 0 ? "" : `<pre>${bodies.join("\n")}</pre>`
      return `<h4>${status}</h4><p>${escapeHtml(description)}</p>${body}`
    })
    .join("")

/** `path` is below the address of the host; its parameters stay as `{name}`. */
const renderCurl = (
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

/** Markup for an element of preformatted text. Named schemas are links to `#schema-<name>`. */
const renderSchema = (schema: unknown, indent = ""): string => {
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
