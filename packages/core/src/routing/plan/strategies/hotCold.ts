/** A strategy: the fastest candidate that is not busier than the others goes first, unless it costs too much. */
import type { Strategy } from "./Strategy.ts"

/** When a candidate is too busy, and when it is too expensive. */
export interface HotColdOptions {
  /** Candidates with more attempts under way than this quantile of all, 0 to 1, default 0.8, are hot. */
  readonly quantile?: number
  /** Candidates up to this many times as expensive as the cheapest, default 2, are considered. */
  readonly maxPremium?: number
}

/**
 * The rule of Prequal (NSDI 2024) without its probes: of the candidates within `maxPremium` of the cheapest, the cold one
 * with the smallest recent latency goes first; without measurements, the one with the fewest attempts under way. Of equals
 * the cheapest goes first.
 */
export const hotCold = ({ maxPremium = 2, quantile = 0.8 }: HotColdOptions = {}): Strategy => ({
  name: "hot-cold",
  readsLoad: true,
  first: ({ contenders, inFlight, recent }) => {
    const cheapest = contenders[0]!
    // A `maxPremium` below 1 must not exclude the cheapest itself.
    const affordable = contenders.filter(
      (each) => each === cheapest || each.cost <= cheapest.cost * maxPremium
    )
    const loads = affordable.map(inFlight)
    const busiest = findQuantile(loads, quantile)
    let best: { readonly millis: number; readonly load: number; readonly at: number } | undefined
    for (let at = 0; at < affordable.length; at++) {
      const load = loads[at]!
      if (load > busiest) continue
      const millis = recent(affordable[at]!) ?? Number.POSITIVE_INFINITY
      if (
        best === undefined ||
        millis < best.millis ||
        (millis === best.millis && millis === Number.POSITIVE_INFINITY && load < best.load)
      ) {
        best = { millis, load, at }
      }
    }
    return affordable[best?.at ?? 0]!
  }
})

/** The largest value that is not above the quantile, interpolated; never below the smallest value. */
const findQuantile = (values: ReadonlyArray<number>, quantile: number): number => {
  const sorted = values.toSorted((self, that) => self - that)
  const last = sorted.length - 1
  return sorted[Math.min(last, Math.max(0, Math.floor(quantile * last)))]!
}
