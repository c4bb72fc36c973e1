/** Checks the fields of a request of the Responses API that say nothing to the model, and so need no translation. */
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { isObject } from "../../values/json/guards.ts"

type Json = Readonly<Record<string, unknown>>
type Path = InvalidRequest["path"]

/** The first one; undefined: there is none. Null counts as absent. */
export const findFieldProblem = (request: Json): InvalidRequest | undefined => {
  for (const { name, problem } of refusedFields) {
    if (isGiven(request[name])) return invalid([name], problem)
  }
  for (const { isValid, name, problem } of checkedFields) {
    if (isGiven(request[name]) && !isValid(request[name])) return invalid([name], problem)
  }
  return findMetadataProblem(request["metadata"]) ?? findFormatProblem(request["text"])
}

const invalid = (path: Path, problem: string) => new InvalidRequest({ path, problem })

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** Fields of the chat API that would multiply the answer, or say something else here. */
const refusedFields: ReadonlyArray<{ readonly name: string; readonly problem: string }> = [
  { name: "best_of", problem: "is not a field of this API: there is one answer" },
  { name: "max_completion_tokens", problem: "is not a field of this API: use max_output_tokens" },
  { name: "max_tokens", problem: "is not a field of this API: use max_output_tokens" },
  { name: "messages", problem: "is not a field of this API: use input" },
  { name: "n", problem: "is not a field of this API: there is one answer" },
  { name: "reasoning_effort", problem: "is not a field of this API: use reasoning.effort" },
  { name: "response_format", problem: "is not a field of this API: use text.format" }
]

interface Check {
  readonly name: string
  readonly isValid: (value: unknown) => boolean
  readonly problem: string
}

const isText = (value: unknown): boolean => typeof value === "string"

const wholeNumber = (name: string, least: number, most = Number.MAX_SAFE_INTEGER): Check => ({
  name,
  isValid: (value) =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  problem: `must be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`}`
})

const checkedFields: ReadonlyArray<Check> = [
  wholeNumber("max_output_tokens", 1),
  wholeNumber("max_tool_calls", 1),
  wholeNumber("top_logprobs", 0, 20),
  {
    name: "background",
    isValid: (value) => typeof value === "boolean",
    problem: "must be a boolean"
  },
  {
    name: "include",
    isValid: (value) => Array.isArray(value) && value.every(isText),
    problem: "must be a list of strings"
  },
  { name: "prompt_cache_key", isValid: isText, problem: "must be a string" },
  { name: "safety_identifier", isValid: isText, problem: "must be a string" },
  { name: "store", isValid: (value) => typeof value === "boolean", problem: "must be a boolean" },
  {
    name: "truncation",
    isValid: (value) => value === "auto" || value === "disabled",
    problem: "must be auto or disabled"
  }
]

const maxPairs = 16
const maxKeyCharacters = 64
const maxValueCharacters = 512

const findMetadataProblem = (metadata: unknown): InvalidRequest | undefined => {
  if (!isGiven(metadata)) return undefined
  if (!isObject(metadata)) return invalid(["metadata"], "must be an object")
  const pairs = Object.entries(metadata)
  if (pairs.length > maxPairs) return invalid(["metadata"], `must have at most ${maxPairs} keys`)
  for (const [key, value] of pairs) {
    if (key.length > maxKeyCharacters) {
      return invalid(["metadata"], `must have keys of at most ${maxKeyCharacters} characters`)
    }
    if (typeof value !== "string" || value.length > maxValueCharacters) {
      return invalid(
        ["metadata", key],
        `must be a string of at most ${maxValueCharacters} characters`
      )
    }
  }
  return undefined
}

const findFormatProblem = (text: unknown): InvalidRequest | undefined => {
  const format = isObject(text) ? text["format"] : undefined
  if (!isGiven(format)) return undefined
  const path = ["text", "format"]
  if (!isObject(format)) return invalid(path, "must be an object")
  if (typeof format["type"] !== "string") return invalid([...path, "type"], "must be a string")
  if (format["type"] !== "json_schema") return undefined
  if (!isObject(format["schema"])) return invalid([...path, "schema"], "must be an object")
  return typeof format["name"] === "string" && format["name"] !== ""
    ? undefined
    : invalid([...path, "name"], "must be a string")
}
