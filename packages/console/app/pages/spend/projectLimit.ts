/** When a limit is spent, at the rate of its present interval. */
import type { Limit } from "./limitForm.ts"

/** A rate of less says nothing. */
const leastMillis = 600_000

/** Milliseconds since the epoch; null: not before it resets; undefined: nobody can tell yet. */
export const projectLimit = (
  {
    began_at: began,
    limit,
    reserved,
    resets_at: resets,
    settled
  }: Pick<Limit, "began_at" | "limit" | "reserved" | "resets_at" | "settled">,
  now: number
): number | null | undefined => {
  const used = settled + reserved
  if (used >= limit) return now
  if (began === null || now - Date.parse(began) < leastMillis) return undefined
  if (used === 0) return null
  const at = now + ((limit - used) / used) * (now - Date.parse(began))
  return resets !== null && at >= Date.parse(resets) ? null : at
}
