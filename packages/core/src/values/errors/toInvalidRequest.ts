/** Turns a schema error into an `InvalidRequest` for its first issue. */
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { InvalidRequest } from "./RequestErrors.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The message never contains values of the request. */
export const toInvalidRequest = ({ issue }: Schema.SchemaError): InvalidRequest => {
  const [first] = format(issue).issues
  const path = (first?.path ?? []).map((segment) => {
    const key = typeof segment === "object" ? segment.key : segment
    return typeof key === "number" ? key : String(key)
  })
  const problem = first?.message ?? "is not valid"
  return new InvalidRequest({
    path,
    problem: problem === "Missing key" ? "missing" : lowerFirst(problem)
  })
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
