/** JSON with the keys of every object in order, so that equal values have equal texts. */
import { setOwn } from "../../values/setOwn.ts"

/** Values that JSON cannot express are left out or null, as in `JSON.stringify`. */
export const toCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner
    const sorted: Record<string, unknown> = {}
    const entries = Object.entries(inner).toSorted(([one], [other]) =>
      one < other ? -1 : one > other ? 1 : 0
    )
    for (const [key, item] of entries) setOwn(sorted, key, item)
    return sorted
  })
