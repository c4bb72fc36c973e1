/** Which thresholds of a limit are crossed. Pure. */
import type { AlertThreshold } from "../../engine/observability/alerts/Threshold.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { Forecast } from "./computeForecast.ts"

/**
 * Each track raises alerts of its own. Those of `share` depend on the cap, so a new cap rearms them; `spent` raises one alert
 * in a period, whatever the cap.
 */
export type CrossingTrack = "share" | "spent" | "forecast" | "refused"

export interface Crossing {
  readonly track: CrossingTrack
  readonly threshold: AlertThreshold
  /** The settled amount from which it is crossed; 0 where no amount is compared. */
  readonly level: NanoUsd.NanoUsd
}

export interface LimitSpend {
  readonly cap: NanoUsd.NanoUsd
  readonly settled: NanoUsd.NanoUsd
  readonly hasRefused: boolean
  readonly forecast: Forecast | undefined
}

/**
 * The highest crossed threshold of each track, because spending that jumps over several raises one alert. There is no
 * forecast once the limit is spent.
 */
export const findCrossings = (
  thresholds: ReadonlyArray<AlertThreshold>,
  spend: LimitSpend
): ReadonlyArray<Crossing> => {
  const highest = new Map<CrossingTrack, Crossing>()
  for (const threshold of thresholds) {
    const crossing = findCrossing(threshold, spend)
    if (crossing === undefined) continue
    const known = highest.get(crossing.track)
    if (known === undefined || known.level < crossing.level) highest.set(crossing.track, crossing)
  }
  return Array.from(highest.values())
}

const findCrossing = (
  threshold: AlertThreshold,
  { cap, forecast, hasRefused, settled }: LimitSpend
): Crossing | undefined => {
  if ("forecast" in threshold) {
    return forecast !== undefined && settled < cap && forecast.total > cap
      ? { track: "forecast", threshold, level: NanoUsd.zero }
      : undefined
  }
  if ("refused" in threshold) {
    return hasRefused ? { track: "refused", threshold, level: NanoUsd.zero } : undefined
  }
  const level = NanoUsd.max(toLevel(threshold, cap), NanoUsd.zero)
  return settled < level || (level === NanoUsd.zero && settled === NanoUsd.zero)
    ? undefined
    : { track: "spent" in threshold ? "spent" : "share", threshold, level }
}

const toLevel = (
  threshold: Exclude<AlertThreshold, { readonly forecast: true } | { readonly refused: true }>,
  cap: NanoUsd.NanoUsd
): NanoUsd.NanoUsd => {
  if ("spent" in threshold) return NanoUsd.fromUsdNumber(threshold.spent)
  if ("remaining" in threshold) {
    return NanoUsd.make(cap - NanoUsd.fromUsdNumber(threshold.remaining))
  }
  // Percentages have up to three decimals.
  const thousandths = BigInt(Math.ceil(threshold.percent * 1_000))
  return NanoUsd.min(NanoUsd.make((cap * thousandths + 99_999n) / 100_000n), NanoUsd.maxAmount)
}
