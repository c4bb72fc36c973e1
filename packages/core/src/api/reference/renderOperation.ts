/** Renders an operation of the OpenAPI document: parameters, body, statuses and an example. */
import type { OpenAPISpecOperation } from "effect/http-api/OpenApi"
import { escapeHtml } from "../../values/render/renderPage.ts"
import { isObject } from "../../values/json/guards.ts"
import { renderCurl } from "./renderCurl.ts"
import { renderSchema } from "./renderSchema.ts"

export interface ReferenceOperation {
  readonly method: string
  /** With the mount. */
  readonly path: string
  readonly operation: OpenAPISpecOperation
}

/** Opens without a script, also when its address is followed. */
export const renderOperation = ({ method, operation, path }: ReferenceOperation): string => {
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
