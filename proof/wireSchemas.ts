/** Judges answers by the schemas of the public client's OpenAPI document. */
import { readFileSync } from "node:fs"
import { Ajv2020 } from "ajv/dist/2020.js"
import type { Answer } from "./Answer.ts"

export interface WireSchemas {
  /** The statuses the document lists for an operation. */
  readonly statusesOf: (method: string, path: string) => ReadonlyArray<number>
  /**
   * What is wrong with an answer of the operation, one line for each problem. A status the document
   * does not list is judged as the last error it lists: all errors have one shape.
   */
  readonly problems: (method: string, path: string, answer: Answer) => ReadonlyArray<string>
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>
    >
  >
}

export const wireSchemas = (file: string): WireSchemas => schemasIn(readFileSync(file, "utf8"))

/** The same of an OpenAPI document that is there as a text. */
export const schemasIn = (text: string): WireSchemas => {
  const document: Document = JSON.parse(text, withoutOpenEnums)
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: id, ...document })
  const statusesOf: WireSchemas["statusesOf"] = (method, path) =>
    Object.keys(document.paths[path]?.[method]?.responses ?? {}).map(Number)
  return {
    statusesOf,
    problems: (method, path, { body, headers, status }) => {
      const listed = statusesOf(method, path)
      if (listed.length === 0) return [`the document has no ${method} ${path}`]
      if (!listed.includes(status) && status < 400) return [`${status} is not listed`]
      if (!/^application\/json(;|$)/.test(headers["content-type"] ?? "")) {
        return [`the content type is ${headers["content-type"]}`]
      }
      const as = listed.includes(status) ? status : Math.max(...listed)
      const place = [
        "paths",
        path,
        method,
        "responses",
        as,
        "content",
        "application/json",
        "schema"
      ]
      const judge = ajv.getSchema(`${id}#/${place.map(escaped).join("/")}`)
      if (judge === undefined) return [`the document has no schema of ${as} of ${method} ${path}`]
      if (judge(body) === true) return []
      return (judge.errors ?? []).map(
        ({ instancePath, message, params }) =>
          `${instancePath} ${message} ${JSON.stringify(params)}`
      )
    }
  }
}

/** A client accepts any other value of these. */
const withoutOpenEnums = (_: string, value: unknown): unknown => {
  if (typeof value !== "object" || value === null || !("x-open-enum" in value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "enum"))
}

const id = "https://wire.invalid/openapi.json"

/** As a part of a JSON pointer in a URL. */
const escaped = (part: string | number): string =>
  encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1"))
