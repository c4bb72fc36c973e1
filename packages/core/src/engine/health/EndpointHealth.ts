/** The health of one endpoint: a pure fold over its first events and the outcomes of its attempts. */
import type * as Arr from "effect/Array"
import type { SettingsShape } from "../../instance/Settings.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import * as Backoff from "./Backoff.ts"
import * as Breaker from "./Breaker.ts"
import * as Counts from "./Counts.ts"
import type {
  BreakerReport,
  EndpointReport,
  Outage,
  Percentiles,
  WindowStats
} from "./HealthSnapshot.ts"
import * as Histogram from "../../values/Histogram.ts"
import type { Outcome } from "./Outcome.ts"
import * as RecentLatency from "./RecentLatency.ts"
import * as Sliding from "./SlidingWindow.ts"
import * as Tally from "./Tally.ts"

export interface EndpointHealth {
  readonly seconds: Sliding.SlidingWindow<Counts.Counts>
  readonly halfMinutes: Sliding.SlidingWindow<Tally.Tally>
  readonly halfHours: Sliding.SlidingWindow<Tally.Tally>
  readonly breaker: Breaker.Breaker
  readonly backoff: Backoff.Backoff | undefined
  readonly recent: RecentLatency.RecentLatency | undefined
  /** Attempts under way that are suspected to fail, because they have not answered for much longer than usual. */
  readonly suspected: number
}

export type HealthRules = Breaker.BreakerRules &
  Backoff.BackoffRules &
  Pick<SettingsShape, "outageWindowMillis" | "uptimeMinSamples">

const minute = 60_000
const day = 1_440 * minute

export const empty: EndpointHealth = {
  seconds: Sliding.empty,
  halfMinutes: Sliding.empty,
  halfHours: Sliding.empty,
  breaker: Breaker.closedBreaker,
  backoff: undefined,
  recent: undefined,
  suspected: 0
}

/** Adds suspected attempts, or takes back those that answered or ended: then their outcome counts instead. */
export const addSuspected = (health: EndpointHealth, count: number): EndpointHealth => ({
  ...health,
  suspected: Math.max(0, health.suspected + count)
})

export const recordOutcome = (
  health: EndpointHealth,
  outcome: Outcome,
  rules: HealthRules
): EndpointHealth => {
  if (outcome.result === "ignored") return health
  const { at } = outcome
  const failed = Counts.isFailure(outcome)
  const { halfHours, halfMinutes, seconds } = health
  return {
    seconds:
      failed === undefined
        ? seconds
        : Sliding.add(Counts.bySecond, seconds, failed, at, rules.outageWindowMillis),
    halfMinutes: Sliding.add(Tally.byHalfMinute, halfMinutes, outcome, at, 30 * minute),
    halfHours: Sliding.add(Tally.byHalfHour, halfHours, outcome, at, day),
    breaker: Breaker.record(health.breaker, outcome, rules),
    backoff: Backoff.record(health.backoff, outcome, rules),
    recent: RecentLatency.record(health.recent, outcome),
    suspected: health.suspected
  }
}

/** Whether attempts are held back. */
export const isTroubled = ({ backoff, breaker }: EndpointHealth): boolean =>
  backoff !== undefined || breaker.state !== "closed"

/** Whether an outcome changes only counts and measurements. */
export const isPlain = ({ backoff, breaker }: EndpointHealth, outcome: Outcome): boolean =>
  (outcome.result === "success" || outcome.result === "first_event") &&
  backoff === undefined &&
  Breaker.onlyCounts(breaker, outcome)

/** Whether two outcomes count in the same second. */
export const isSameSecond = (one: Outcome, other: Outcome): boolean =>
  toSecond(one) === toSecond(other)

const toSecond = ({ at }: Outcome): number => Math.floor(at / Counts.bySecond.bucketMillis)

/**
 * `recordOutcome` of plain outcomes of one second, each after the other. One copy of the counts and measurements serves
 * all of them.
 */
export const recordPlain = (
  health: EndpointHealth,
  outcomes: Arr.NonEmptyReadonlyArray<Outcome>,
  rules: HealthRules
): EndpointHealth => {
  const { breaker, halfHours, halfMinutes, recent, seconds } = health
  const successes = Counts.countSuccesses(outcomes)
  const [{ at }] = outcomes
  const { addPlain } = Tally
  const window = rules.outageWindowMillis
  return {
    ...health,
    seconds:
      successes === 0
        ? seconds
        : Sliding.addAll(Counts.bySecond, seconds, successes, at, window, Counts.addSuccesses),
    halfMinutes: Sliding.addAll(
      Tally.byHalfMinute,
      halfMinutes,
      outcomes,
      at,
      30 * minute,
      addPlain
    ),
    halfHours: Sliding.addAll(Tally.byHalfHour, halfHours, outcomes, at, day, addPlain),
    breaker: Breaker.recordSuccesses(breaker, successes, at, rules),
    recent: outcomes.reduce(RecentLatency.record, recent)
  }
}

/** The health after an attempt was let through; undefined when none may run now. */
export const claim = (
  health: EndpointHealth,
  now: number,
  rules: HealthRules
): EndpointHealth | undefined => {
  if (Backoff.isActive(health.backoff, now)) return undefined
  const breaker = Breaker.claim(health.breaker, now, rules)
  if (breaker === undefined) return undefined
  return breaker === health.breaker ? health : { ...health, breaker }
}

/** The report at `now`; measurements may be slightly older. */
export const toReport = (
  health: EndpointHealth,
  now: number,
  rules: HealthRules,
  stats: EndpointStats = toEndpointStats(health, now, rules)
): EndpointReport => {
  const { outageWindowMillis } = rules
  const { seconds, suspected } = health
  const outage = findOutage(
    Sliding.total(Counts.bySecond, seconds, now, outageWindowMillis),
    suspected
  )
  const breaker = toBreakerReport(health, now, rules)
  return {
    ...stats,
    ...(suspected === 0 ? undefined : { suspected }),
    ...(outage === undefined ? undefined : { outage }),
    breaker
  }
}

/** Until when a report of `now`, apart from its measurements, stays valid without new outcomes. */
export const getReportExpiry = (
  { backoff, breaker }: EndpointHealth,
  now: number,
  { outageWindowMillis }: HealthRules
): number => {
  if (breaker.state === "ramping") return now
  const { bucketMillis } = Counts.bySecond
  const nextBucketAt = Math.floor((now - outageWindowMillis) / bucketMillis + 1) * bucketMillis
  const backoffEnd = Backoff.isActive(backoff, now) ? backoff.until : Infinity
  return Math.min(nextBucketAt + outageWindowMillis, backoffEnd)
}

/** The part of a report that may be slightly stale. */
export type EndpointStats = Omit<
  EndpointReport,
  "outage" | "breaker" | "longer" | "inFlight" | "returning" | "suspected"
>

export const toEndpointStats = (
  { halfHours, halfMinutes, recent }: EndpointHealth,
  now: number,
  { uptimeMinSamples }: HealthRules
): EndpointStats => {
  const recentMillis = RecentLatency.toMillis(recent, now)
  const lastMinutes = Sliding.total(Tally.byHalfMinute, halfMinutes, now, 5 * minute)
  const halfHour = Sliding.total(Counts.byHalfMinute, halfMinutes, now, 30 * minute)
  const lastDay = Sliding.total(Counts.byHalfHour, halfHours, now, day)
  return {
    ...toWindowStats(lastMinutes),
    ...(recentMillis === undefined ? undefined : { recentMillis }),
    uptime: omitUndefined({
      m5: computeUptime(lastMinutes, uptimeMinSamples),
      m30: computeUptime(halfHour, uptimeMinSamples),
      d1: computeUptime(lastDay, uptimeMinSamples)
    })
  }
}

/** The successes in percent; undefined while there are fewer than `minSamples`. */
const computeUptime = (
  { failures, successes }: Counts.Counts,
  minSamples: number
): number | undefined => {
  const samples = successes + failures
  return samples < minSamples ? undefined : (successes / samples) * 100
}

/** An outage is at least one failure, where at least half of the attempts failed. */
const findOutage = (
  { failures, successes }: Counts.Counts,
  suspected: number
): Outage | undefined =>
  failures + suspected > 0 && failures + suspected >= successes
    ? toOutage(failures, successes, suspected)
    : undefined

/** Suspected attempts count as failures. */
export const toOutage = (failures: number, successes: number, suspected: number): Outage => ({
  failures: failures + suspected,
  of: failures + successes + suspected,
  ...(suspected === 0 ? undefined : { suspected })
})

/** Measurements over longer windows, which plans do not use. */
export const toLongWindowStats = (
  { halfHours, halfMinutes }: EndpointHealth,
  now: number
): NonNullable<EndpointReport["longer"]> => ({
  m30: toWindowStats(Sliding.total(Tally.byHalfMinute, halfMinutes, now, 30 * minute)),
  d1: toWindowStats(Sliding.total(Tally.byHalfHour, halfHours, now, day))
})

const toWindowStats = (tally: Tally.Tally): WindowStats => ({
  samples: tally.successes,
  ...omitUndefined({
    latency: toPercentiles(tally.latency, Histogram.getQuantile),
    throughput: toPercentiles(tally.throughput, Histogram.getUpperQuantile),
    cachedShare: tally.promptTokens === 0 ? undefined : tally.cachedTokens / tally.promptTokens
  }),
  throughputSamples: tally.throughput.count,
  answers: { valid: tally.successes, invalid: tally.invalid },
  errors: Object.fromEntries(tally.errors),
  rateLimited: tally.rateLimited
})

/** An open breaker outlasts a backoff, which only delays the next probe. */
export const toBreakerReport = (
  { backoff, breaker }: EndpointHealth,
  now: number,
  rules: HealthRules
): BreakerReport => {
  const report = Breaker.toReport(breaker, now, rules)
  if (!Backoff.isActive(backoff, now)) return report
  const { cause, since, until } = backoff
  return report.state === "open"
    ? { ...report, nextProbeAt: Math.max(report.nextProbeAt, until) }
    : { state: "backing_off", since, cause, until }
}

const toPercentiles = (
  histogram: Histogram.Histogram,
  getQuantile: (histogram: Histogram.Histogram, share: number) => number
): Percentiles | undefined =>
  histogram.count === 0
    ? undefined
    : {
        p50: getQuantile(histogram, 0.5),
        p75: getQuantile(histogram, 0.75),
        p90: getQuantile(histogram, 0.9),
        p95: getQuantile(histogram, 0.95),
        p99: getQuantile(histogram, 0.99)
      }
