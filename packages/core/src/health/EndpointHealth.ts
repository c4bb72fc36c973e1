/** What is known of one endpoint: a pure fold over the outcomes of its attempts. */
import type { SettingsShape } from "../Settings.ts"
import * as Backoff from "./Backoff.ts"
import * as Breaker from "./Breaker.ts"
import * as Counts from "./Counts.ts"
import type { BreakerReport, EndpointReport, Measured, Percentiles } from "./HealthSnapshot.ts"
import * as Histogram from "./Histogram.ts"
import type { Outcome } from "./Outcome.ts"
import { outageOf } from "./outageOf.ts"
import * as Sliding from "./Sliding.ts"
import * as Tally from "./Tally.ts"
import { uptimeOf } from "./uptimeOf.ts"

export interface EndpointHealth {
  readonly seconds: Sliding.Sliding<Counts.Counts>
  readonly halfMinutes: Sliding.Sliding<Tally.Tally>
  readonly halfHours: Sliding.Sliding<Tally.Tally>
  readonly breaker: Breaker.Breaker
  readonly backoff: Backoff.Backoff | undefined
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
  breaker: Breaker.closed,
  backoff: undefined
}

export const fold = (
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
    backoff: Backoff.record(health.backoff, outcome, rules)
  }
}

/** What is known after an attempt was let through; undefined when there should be none now. */
export const claim = (
  health: EndpointHealth,
  now: number,
  rules: HealthRules
): EndpointHealth | undefined => {
  if (Backoff.isRunning(health.backoff, now)) return undefined
  const breaker = Breaker.claim(health.breaker, now, rules)
  if (breaker === undefined) return undefined
  return breaker === health.breaker ? health : { ...health, breaker }
}

/** All that is known at `now`; what is measured may have been measured before. */
export const reportOf = (
  health: EndpointHealth,
  now: number,
  rules: HealthRules,
  measures: Measures = measuresOf(health, now, rules)
): EndpointReport => {
  const { outageWindowMillis } = rules
  const outage = outageOf(Sliding.total(Counts.bySecond, health.seconds, now, outageWindowMillis))
  const breaker = breakerAt(health, now, rules)
  return outage === undefined ? { ...measures, breaker } : { ...measures, outage, breaker }
}

/** Until when a report of `now`, its measures apart, stays true if nothing happens. */
export const staysUntil = (
  { backoff, breaker }: EndpointHealth,
  now: number,
  { outageWindowMillis }: HealthRules
): number => {
  if (breaker.state === "ramping") return now
  const { bucketMillis } = Counts.bySecond
  const edge = Math.floor((now - outageWindowMillis) / bucketMillis + 1) * bucketMillis
  const backedOff = Backoff.isRunning(backoff, now) ? backoff.until : Infinity
  return Math.min(edge + outageWindowMillis, backedOff)
}

/** The part of a report that may be a moment old. */
export type Measures = Omit<EndpointReport, "outage" | "breaker" | "longer">

export const measuresOf = (
  { halfHours, halfMinutes }: EndpointHealth,
  now: number,
  { uptimeMinSamples }: HealthRules
): Measures => {
  const recent = Sliding.total(Tally.byHalfMinute, halfMinutes, now, 5 * minute)
  const m5 = uptimeOf(recent, uptimeMinSamples)
  const m30 = uptimeOf(
    Sliding.total(Counts.byHalfMinute, halfMinutes, now, 30 * minute),
    uptimeMinSamples
  )
  const d1 = uptimeOf(Sliding.total(Counts.byHalfHour, halfHours, now, day), uptimeMinSamples)
  return {
    ...measuredIn(recent),
    uptime: {
      ...(m5 === undefined ? undefined : { m5 }),
      ...(m30 === undefined ? undefined : { m30 }),
      ...(d1 === undefined ? undefined : { d1 })
    }
  }
}

/** What is measured over longer windows, which nobody plans by. */
export const longerOf = (
  { halfHours, halfMinutes }: EndpointHealth,
  now: number
): NonNullable<EndpointReport["longer"]> => ({
  m30: measuredIn(Sliding.total(Tally.byHalfMinute, halfMinutes, now, 30 * minute)),
  d1: measuredIn(Sliding.total(Tally.byHalfHour, halfHours, now, day))
})

const measuredIn = (tally: Tally.Tally): Measured => {
  const latency = percentiles(tally.latency, Histogram.atMost)
  const throughput = percentiles(tally.throughput, Histogram.atLeast)
  return {
    samples: tally.successes,
    ...(latency === undefined ? undefined : { latency }),
    ...(throughput === undefined ? undefined : { throughput }),
    throughputSamples: tally.throughput.count,
    answers: { valid: tally.successes, invalid: tally.invalid },
    errors: Object.fromEntries(tally.errors),
    rateLimited: tally.rateLimited
  }
}

/** An open breaker outlasts a back-off, which only puts off its next probe. */
const breakerAt = (
  { backoff, breaker }: EndpointHealth,
  now: number,
  rules: HealthRules
): BreakerReport => {
  const report = Breaker.reportOf(breaker, now, rules)
  if (!Backoff.isRunning(backoff, now)) return report
  const { cause, since, until } = backoff
  return report.state === "open"
    ? { ...report, nextProbeAt: Math.max(report.nextProbeAt, until) }
    : { state: "backing_off", since, cause, until }
}

const percentiles = (
  histogram: Histogram.Histogram,
  at: (histogram: Histogram.Histogram, share: number) => number
): Percentiles | undefined =>
  histogram.count === 0
    ? undefined
    : {
        p50: at(histogram, 0.5),
        p75: at(histogram, 0.75),
        p90: at(histogram, 0.9),
        p99: at(histogram, 0.99)
      }
