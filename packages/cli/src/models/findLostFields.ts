/** Which fields of a value another one, made of it, no longer has. */
import { isRecord } from "./readListing.ts"

/** Paths such as `pricing.fast` and `benchmarks.design_arena.[].arena`. What is lost as a whole is named once. */
export const findLostFields = (before: unknown, after: unknown): ReadonlyArray<string> => {
  const kept = new Set(listPaths(after))
  return Array.from(new Set(listPaths(before))).filter(
    (path) => !kept.has(path) && (!path.includes(".") || kept.has(parentOf(path)))
  )
}

const listPaths = (value: unknown, path = ""): ReadonlyArray<string> => {
  const below = (name: string, child: unknown): ReadonlyArray<string> => {
    const at = path === "" ? name : `${path}.${name}`
    return [at, ...listPaths(child, at)]
  }
  if (Array.isArray(value)) {
    return value.flatMap((item) => (typeof item === "object" ? below("[]", item) : []))
  }
  return isRecord(value) ? Object.entries(value).flatMap(([name, child]) => below(name, child)) : []
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("."))
