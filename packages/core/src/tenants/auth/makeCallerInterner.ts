/** Gives callers with equal fields one object, so that values memoized for a caller serve all of its requests. */
import { ExpiringCache } from "../../values/ExpiringCache.ts"
import type { Caller } from "./Caller.ts"

const maxCallers = 10_000

/** Remembers the most recent callers. */
export const makeCallerInterner = (): ((caller: Caller) => Caller) => {
  const callers = new ExpiringCache<string, Caller>(maxCallers, Infinity)
  return (caller) => {
    const key = toKey(caller)
    const known = callers.get(key, 0)
    if (known !== undefined) return known
    callers.set(key, caller, 0)
    return caller
  }
}

/** JSON has no bigints, and a process has one bundle of a name. */
const toKey = (caller: Caller): string => {
  const { bundle, limit } = caller
  if (bundle === undefined && limit === undefined) return JSON.stringify(caller)
  return JSON.stringify({
    ...caller,
    limit: limit === undefined ? undefined : { ...limit, cap: String(limit.cap) },
    bundle: bundle?.name
  })
}
