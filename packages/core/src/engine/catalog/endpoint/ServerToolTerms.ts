/** What bounds the tools that a provider runs by itself at an endpoint. */
import { isObject } from "../../../values/json/guards.ts"
import { type FieldNames, checkFieldNames } from "../../../values/validation/checkFieldNames.ts"

/** Terms of tools that the provider runs, such as web search, file search and MCP. */
export interface ServerToolTerms {
  /**
   * The most input tokens of one answer, over all turns of the model. Default: the context length times `maxTurns`.
   */
  readonly maxInputTokens?: number
  /**
   * The most turns of the model in one answer, each of which reads the conversation again. Default: one more than the
   * `max_tool_calls` of the request, else 11: Anthropic pauses after 10 iterations.
   */
  readonly maxTurns?: number
  /** The most calls of one tool where the request sets no bound. Default: 10. */
  readonly maxCalls?: number
  /** Types of tools whose calls cost nothing besides tokens here, such as `code_interpreter`. */
  readonly freeTools?: ReadonlyArray<string>
  /** Whether the model searches without being asked, such as Perplexity's. Default: false. */
  readonly unasked?: boolean
}

const fields: FieldNames<ServerToolTerms> = {
  maxInputTokens: true,
  maxTurns: true,
  maxCalls: true,
  freeTools: true,
  unasked: true
}

/** Throws a `RangeError` that names the problem. Checked at runtime, because hosts also read catalogs from files. */
export const checkServerTools = (terms: unknown): void => {
  if (terms === undefined || terms === false) return
  if (!isObject(terms)) {
    throw new RangeError("serverTools must be false, or an object such as { maxTurns: 5 }")
  }
  checkFieldNames(terms, "term of server tools", fields, "serverTools.")
  for (const name of ["maxInputTokens", "maxTurns", "maxCalls"] as const) {
    const count = terms[name]
    if (count !== undefined && !(Number.isSafeInteger(count) && Number(count) > 0)) {
      throw new RangeError(`serverTools.${name} must be a whole number above 0`)
    }
  }
  const { freeTools, unasked } = terms
  const isNames =
    freeTools === undefined ||
    (Array.isArray(freeTools) && freeTools.every((name) => typeof name === "string" && name !== ""))
  if (!isNames) throw new RangeError("serverTools.freeTools must be a list of types of tools")
  if (unasked !== undefined && typeof unasked !== "boolean") {
    throw new RangeError("serverTools.unasked must be a boolean")
  }
}
