/** The bytes of a case and of its pass-through. */
import type { Case } from "./cases.ts"
import { measureBytes } from "./measureBytes.ts"

/** `enough` is a figure beyond the pass-through: a higher one is measured again until V8 has had time to optimize. */
export const measureCase = async (
  { events, measured, passThrough }: Case,
  calls: number,
  enough = Infinity
) => {
  const count = events === undefined ? calls : Math.ceil(calls / 10)
  const divisor = events ?? 1
  const first = await measureBytes(measured, count)
  // The pass-through comes second, when client and upstream, which both use, are optimized.
  const base = passThrough === undefined ? 0 : await measureBytes(passThrough, count)
  const limit = enough * divisor + base
  const allocated = first <= limit ? first : await measureBytes(measured, count, limit)
  return { allocated, base, beyond: (allocated - base) / divisor }
}
