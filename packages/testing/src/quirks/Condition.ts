/** What a request has that a provider refuses: plain data where a path and a test can say it. */
import { getProperty, isObject } from "../getProperty.ts"

/**
 * A path has names joined by dots. In brackets behind a name: nothing for each element of a list, `-1` for the last one,
 * `role=tool` for those with this field. `messages[role=assistant].tool_calls[].id` has the ids of all calls.
 */
export type Condition =
  | {
      readonly path: string
      /** It holds for a value that … Default: is there, and not null. */
      readonly equals?: boolean | number | string
      /** Texts only. */
      readonly matches?: RegExp
      /** Texts only. */
      readonly fails?: RegExp
      /** Numbers, and the lengths of texts and lists. */
      readonly above?: number
      readonly below?: number
    }
  | { readonly path: string; readonly isMissing: true }
  | { readonly all: ReadonlyArray<Condition> }
  | ((body: unknown) => boolean)

export const holds = (condition: Condition, body: unknown): boolean => {
  if (typeof condition === "function") return condition(body)
  if ("all" in condition) return condition.all.every((each) => holds(each, body))
  const values = findValues(body, condition.path).filter(
    (value) => value !== undefined && value !== null
  )
  if ("isMissing" in condition) return values.length === 0
  const { above, below, equals, fails, matches } = condition
  return values.some((value) => {
    const text = typeof value === "string" ? value : undefined
    const size = typeof value === "number" ? value : sizeOf(value)
    return (
      (equals === undefined || value === equals) &&
      (matches === undefined || (text !== undefined && matches.test(text))) &&
      (fails === undefined || (text !== undefined && !fails.test(text))) &&
      (above === undefined || size > above) &&
      (below === undefined || size < below)
    )
  })
}

const sizeOf = (value: unknown): number =>
  typeof value === "string" || Array.isArray(value) ? value.length : Number.NaN

/** All values at a path, in order. */
export const findValues = (body: unknown, path: string): ReadonlyArray<unknown> => {
  let values: ReadonlyArray<unknown> = [body]
  for (const [, name = "", brackets = ""] of path.matchAll(/([^.[\]]+)((?:\[[^\]]*\])*)/g)) {
    values = values.map((value) => getProperty(value, name))
    for (const [, which = ""] of brackets.matchAll(/\[([^\]]*)\]/g)) {
      values = values.flatMap((value) => (Array.isArray(value) ? pick(value, which) : []))
    }
  }
  return values
}

const pick = (list: ReadonlyArray<unknown>, which: string): ReadonlyArray<unknown> => {
  if (which === "") return list
  if (which === "-1") return list.slice(-1)
  const [field = "", wanted] = which.split("=", 2)
  return list.filter((each) => isObject(each) && each[field] === wanted)
}
