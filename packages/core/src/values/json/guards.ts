/** Tells what a JSON value is. */
import * as Predicate from "effect/Predicate"

/** Whether a value is a JSON object: neither `null` nor an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads a list of untrusted JSON; a value that is not a list counts as an empty one. */
export const toList = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : none

const none: ReadonlyArray<unknown> = []

/** Finds the JSON in a text; undefined when the text contains none. */
export const findJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value of JSON asks for anything: not null, `false`, an empty text, list or object. */
export const asksForSomething = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== false &&
  value !== "" &&
  !(Predicate.isObjectOrArray(value) && Object.keys(value).length === 0)
