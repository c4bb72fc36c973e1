/** Validates responses against the schemas of an OpenAPI document. */
import { readFileSync } from "node:fs"
import { Ajv2020 } from "ajv/dist/2020.js"
import type { HttpResponse } from "./HttpResponse.ts"

export interface OpenApiSchemas {
  /** The statuses the document lists for an operation. */
  readonly listStatuses: (method: string, path: string) => ReadonlyArray<number>
  /**
   * The violations of the operation's schema, one line each. An unlisted status is validated against the
   * last listed error, as all errors have the same shape.
   */
  readonly listProblems: (
    method: string,
    path: string,
    answer: HttpResponse
  ) => ReadonlyArray<string>
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>
    >
  >
}

export const loadOpenApiSchemas = (file: string): OpenApiSchemas =>
  makeOpenApiSchemas(readFileSync(file, "utf8"))

/** Like `loadOpenApiSchemas`, with the text of the document. */
export const makeOpenApiSchemas = (text: string): OpenApiSchemas => {
  const document: Document = JSON.parse(text, omitOpenEnums)
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: id, ...document })
  const listStatuses: OpenApiSchemas["listStatuses"] = (method, path) =>
    Object.keys(document.paths[path]?.[method]?.responses ?? {}).map(Number)
  return {
    listStatuses,
    listProblems: (method, path, { body, headers, status }) => {
      const rows = listStatuses(method, path)
      if (rows.length === 0) return [`the document has no ${method} ${path}`]
      if (!rows.includes(status) && status < 400) return [`${status} is not listed`]
      if (!/^application\/json(;|$)/.test(headers["content-type"] ?? "")) {
        return [`the content type is ${headers["content-type"]}`]
      }
      const as = rows.includes(status) ? status : Math.max(...rows)
      const index = [
        "paths",
        path,
        method,
        "responses",
        as,
        "content",
        "application/json",
        "schema"
      ]
      const judge = ajv.getSchema(`${id}#/${index.map(escapePointer).join("/")}`)
      if (judge === undefined) return [`the document has no schema of ${as} of ${method} ${path}`]
      if (judge(body) === true) return []
      return (judge.errors ?? []).map(
        ({ instancePath, message, params }) =>
          `${instancePath} ${message} ${JSON.stringify(params)}`
      )
    }
  }
}

/** Clients accept unknown values of open enums. */
const omitOpenEnums = (_: string, value: unknown): unknown => {
  if (typeof value !== "object" || value === null || !("x-open-enum" in value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "enum"))
}

const id = "https://reference.invalid/openapi.json"

/** Escapes a part of a JSON pointer in a URL. */
const escapePointer = (part: string | number): string =>
  encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1"))
