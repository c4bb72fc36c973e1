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

/** JSON has no bigints. */
const toKey = (caller: Caller): string => {
  const { limit } = caller
  return JSON.stringify(
    limit === undefined ? caller : { ...caller, limit: { ...limit, cap: String(limit.cap) } }
  )
}
