/** The times to the first events of the last minute: a pure fold, and their quantiles. */
import * as SlidingWindow from "../../../engine/health/SlidingWindow.ts"
import * as Histogram from "../../../values/Histogram.ts"

export type FirstEventWindow = SlidingWindow.SlidingWindow<Histogram.Histogram>

const windowMillis = 60_000
/** A quantile of fewer is not used. */
const minSamples = 20

const bySeconds: SlidingWindow.BucketAggregator<Histogram.Histogram, number> = {
  bucketMillis: 5_000,
  empty: Histogram.empty,
  add: Histogram.add,
  merge: Histogram.merge
}

export const empty: FirstEventWindow = SlidingWindow.empty

export const add = (window: FirstEventWindow, millis: number, at: number): FirstEventWindow =>
  SlidingWindow.add(bySeconds, window, millis, at, windowMillis)

/** In milliseconds; undefined while there are too few. */
export const getQuantile = (
  window: FirstEventWindow,
  quantile: number,
  now: number
): number | undefined => {
  const recent = SlidingWindow.total(bySeconds, window, now, windowMillis)
  return recent.count < minSamples ? undefined : Histogram.getQuantile(recent, quantile)
}
