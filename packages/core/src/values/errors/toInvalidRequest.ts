/** The first thing wrong with a value, by where it is, as a request is told. */
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { InvalidRequest } from "./RequestErrors.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The formatter never repeats the caller's values. */
export const toInvalidRequest = ({ issue }: Schema.SchemaError): InvalidRequest => {
  const [first] = format(issue).issues
  const path = (first?.path ?? []).map((segment) => {
    const key = typeof segment === "object" ? segment.key : segment
    return typeof key === "number" ? key : String(key)
  })
  const problem = first?.message ?? "not what this operation takes"
  return new InvalidRequest({
    path,
    problem: problem === "Missing key" ? "missing" : lowerFirst(problem)
  })
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
