/** Lists and replaces the values inside a JSON value. */
import * as fc from "fast-check"

/** The paths of all values inside a JSON value. */
export const listJsonPaths = (value: unknown): ReadonlyArray<ReadonlyArray<string>> => [
  [],
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inside]) =>
        listJsonPaths(inside).map((path) => [key, ...path])
      )
    : [])
]

/** Returns `value` with the value at the path replaced by `by`. */
export const replaceAtPath = (
  value: unknown,
  [key, ...path]: ReadonlyArray<string>,
  by: unknown
): unknown => {
  if (key === undefined) return by
  const entries = Object.entries(Object(value)).map(([name, inside]) => [
    name,
    name === key ? replaceAtPath(inside, path, by) : inside
  ])
  return Array.isArray(value) ? entries.map(([, inside]) => inside) : Object.fromEntries(entries)
}

/** JSON values that are usually invalid. */
export const arbitraryJson = fc.oneof(
  fc.constantFrom(null, true, -1, 0, 0.5, 2, 1e308, -5e-324, "", "0.5", "__proto__"),
  fc.constantFrom([], {}, [0.5, 0.5], { noul: 1 }),
  fc.jsonValue({ maxDepth: 3 })
)
