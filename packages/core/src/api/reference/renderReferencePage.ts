/** Renders the contract as one HTML page without scripts, which works under a strict Content-Security-Policy. */
import type { OpenAPISpec } from "effect/http-api/OpenApi"
import { escapeHtml } from "../../values/render/renderPage.ts"
import { makeOpenApiDocument } from "./makeOpenApiDocument.ts"
import { type ReferenceOperation, renderOperation } from "./renderOperation.ts"
import { renderSchema } from "./renderSchema.ts"

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
