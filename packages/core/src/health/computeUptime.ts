/** The share of attempts that succeeded. */
import type { Counts } from "./Counts.ts"

/** Percent; undefined while there are fewer than `minSamples`. */
export const computeUptime = (
  { failures, successes }: Counts,
  minSamples: number
): number | undefined => {
  const samples = successes + failures
  return samples < minSamples ? undefined : (successes / samples) * 100
}
