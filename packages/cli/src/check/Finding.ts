/** What a check finds. */
import type { JsonPath } from "../files/JsonFile.ts"

/** Something wrong, or probably not meant. */
export interface Finding {
  /** The path of the field, in the options or in the file. */
  readonly path: JsonPath
  /** What is wrong and what to do. */
  readonly problem: string
}

/**
 * Why the core refuses something; undefined: it does not. Other errors than a `RangeError` are what the core says, too, about
 * values of a type that the compiler would have refused.
 */
export const findProblem = (check: () => unknown): string | undefined => {
  try {
    check()
    return undefined
  } catch (error) {
    return toProblem(error)
  }
}

/** On one line. */
export const toProblem = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, " ")

/**
 * Checks the parts of a value alone, so that no mistake hides another. Returns the mistakes of the parts, or the
 * mistake of the whole if its parts are right; nothing if the whole is right.
 */
export const isolate = (
  path: JsonPath,
  whole: () => unknown,
  parts: () => ReadonlyArray<Finding>
): ReadonlyArray<Finding> => {
  const problem = findProblem(whole)
  if (problem === undefined) return []
  const found = parts()
  return found.length > 0 ? found : [{ path, problem: trimPath(problem) }]
}

/** Without the places and names at its beginning, which stand beside it. */
export const trimPath = (problem: string): string =>
  problem
    .replace(/^\w+\.0(\.endpoints\.\d+)?(: |(?=\.))\.?/, "")
    .replace(/^alerts: |^(model|endpoint) "[^"]*": /, "")
    .replace(/^model "any\/model" /, "the model ")
