/** Makes tags of what requests say in `trace`, where the host has named the keys: `Settings.traceTags`. */
import { setOwn } from "../../values/ownFields.ts"
import { isTagValue, maxTags } from "../../values/Tags.ts"
import type { Trace } from "../../values/Trace.ts"
import type { Caller } from "./Caller.ts"
import { makeCallerInterner } from "./Callers.ts"

/**
 * Adds the tags that the caller lacks, in the order of `names`, until it has 8. Texts, numbers and booleans that may be the
 * value of a tag become one; everything else stays in the trace alone.
 */
export const makeTraceTagger = (
  names: ReadonlyArray<string>
): ((caller: Caller, trace: Trace | undefined) => Caller) => {
  if (names.length === 0) return (caller) => caller
  const intern = makeCallerInterner()
  return (caller, trace) => {
    if (trace === undefined) return caller
    let added: Record<string, string> | undefined
    let count = Object.keys(caller.tags ?? {}).length
    for (const name of names) {
      if (count >= maxTags) break
      if (caller.tags !== undefined && Object.hasOwn(caller.tags, name)) continue
      const value = Object.hasOwn(trace, name) ? toTagValue(trace[name]) : undefined
      if (value === undefined) continue
      setOwn((added ??= {}), name, value)
      count++
    }
    return added === undefined ? caller : intern({ ...caller, tags: { ...caller.tags, ...added } })
  }
}

const toTagValue = (value: unknown): string | undefined => {
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value
  return isTagValue(text) ? text : undefined
}
