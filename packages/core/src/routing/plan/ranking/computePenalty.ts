/**
 * How far a candidate is moved back. An outage or a low uptime outweighs a missed preference; an order or a sort of
 * the request overrides uptime and outages, but not an ongoing ramp.
 */
import type { EndpointReport, HealthSnapshot } from "../../../engine/health/HealthSnapshot.ts"
import { type Candidate, isByok } from "../../Candidate.ts"
import type { Demotion, Reason } from "../../Reason.ts"
import { findMissedThresholds, type Threshold } from "./thresholds.ts"

export interface Penalty {
  /** 0 comes first. */
  readonly level: number
  readonly reasons: ReadonlyArray<Reason<Demotion>>
}

export interface PenaltyInput {
  readonly health: HealthSnapshot
  readonly minSamples: number
  readonly thresholds: ReadonlyArray<Threshold>
  /** Whether the request leaves the order to the router, so that uptime and outages count. */
  readonly byCondition: boolean
  readonly random: () => number
  /** The family that signed the last answer of the prompt; undefined: no endpoint is preferred for it. */
  readonly signedBy: string | undefined
}

export const computePenalty = (candidate: Candidate, input: PenaltyInput): Penalty => {
  const report = input.health.endpoints[candidate.id]
  const measured = report === undefined ? noPenalty : computeMeasured(candidate, report, input)
  const { byCondition, signedBy } = input
  return signedBy === undefined || !byCondition || candidate.reasoningFamily === signedBy
    ? measured
    : {
        level: measured.level + foreignPenalty,
        reasons: [...measured.reasons, toForeignReason(signedBy, candidate.reasoningFamily)]
      }
}

const computeMeasured = (
  candidate: Candidate,
  report: EndpointReport,
  { byCondition, minSamples, random, thresholds }: PenaltyInput
): Penalty => {
  const misses = findMissedThresholds(thresholds, report, minSamples)
  const rampReason = findRampReason(report, random)
  const condition = byCondition ? assessCondition(report) : healthyCondition
  const refusals =
    isByok(candidate) && isRecentlyRefused(report) ? [toRefusedReason(report)] : noReasons
  if (
    misses.length === 0 &&
    rampReason === undefined &&
    condition === healthyCondition &&
    refusals === noReasons
  ) {
    return noPenalty
  }
  return {
    level:
      penaltyLevels[Math.max(condition.severity, rampReason === undefined ? 0 : 1)]! +
      (misses.length === 0 ? 0 : 1),
    reasons: [
      ...refusals,
      ...condition.reasons,
      ...(rampReason === undefined ? [] : [rampReason]),
      ...misses
    ]
  }
}

/** Whether shared capacity with this report has no penalty, and its breaker lets every request through. */
export const isHealthy = (report: EndpointReport): boolean =>
  report.breaker.state === "closed" && assessCondition(report) === healthyCondition

/** Less than a missed preference: any other penalty outweighs it. */
const foreignPenalty = 0.5

const toForeignReason = (signedBy: string, family: string | undefined): Reason<Demotion> => ({
  rule: "reasoning",
  source: "request",
  wanted: `the provider family that signed the last answer, ${signedBy}`,
  found: family ?? "none of its own"
})

const noReasons: Penalty["reasons"] = []
const noPenalty: Penalty = { level: 0, reasons: noReasons }

/** Two steps each: within a condition, candidates that miss no preference come first. */
const penaltyLevels = [0, 2, 4] as const

interface Condition {
  readonly severity: 0 | 1 | 2
  readonly reasons: ReadonlyArray<Reason<Demotion>>
}

const healthyCondition: Condition = { severity: 0, reasons: [] }

const assessCondition = ({ outage, uptime }: EndpointReport): Condition => {
  const known = uptime.m5 ?? uptime.m30 ?? uptime.d1
  const low = known !== undefined && known < minNormalUptime
  if (outage === undefined && !low) return healthyCondition
  return {
    severity: outage !== undefined || (low && known < minDegradedUptime) ? 2 : 1,
    reasons: [
      ...(outage === undefined ? [] : [toOutageReason(outage)]),
      ...(low ? [toUptimeReason(known)] : [])
    ]
  }
}

/** Percent of successful attempts: at least 95 is normal, at least 80 degraded, less is down. */
const minNormalUptime = 95
const minDegradedUptime = 80

const toOutageReason = ({
  failures,
  of,
  processes
}: NonNullable<EndpointReport["outage"]>): Reason<Demotion> => ({
  rule: "outage",
  source: "health",
  wanted: "less than half of the recent attempts failing",
  found:
    processes === undefined
      ? `${failures} of ${of} failed`
      : failures === 0
        ? "the provider asked another process to wait"
        : `${failures} of ${of} failed, in ${processes} processes`
})

const toUptimeReason = (uptime: number): Reason<Demotion> => ({
  rule: "uptime",
  source: "health",
  wanted: `an uptime of at least ${minNormalUptime} %`,
  found: `${floorToHundredths(uptime)} %`
})

/** A closing breaker admits a growing share of requests. */
const findRampReason = (
  { breaker }: EndpointReport,
  random: () => number
): Reason<Demotion> | undefined =>
  breaker.state !== "ramping" || random() < breaker.share
    ? undefined
    : {
        rule: "ramp",
        source: "health",
        wanted: "a share of the requests while it recovers",
        found: `${floorToHundredths(breaker.share * 100)} % get through`
      }

/** Rounded down, so that a value below a threshold never reads as if it reached it. */
const floorToHundredths = (percent: number): number => Math.floor(percent * 100 + 1e-6) / 100

/** Within the last five minutes; a rate limit has its own backoff. */
export const isRecentlyRefused = (report: EndpointReport | undefined): boolean => {
  if (report === undefined) return false
  const refused = countRefusals(report)
  return refused > 0 && refused >= report.samples
}

const toRefusedReason = (report: EndpointReport): Reason<Demotion> => ({
  rule: "refused",
  source: "health",
  wanted: "a credential that is accepted",
  found: `refused ${countRefusals(report)} times, accepted ${report.samples} times`
})

const countRefusals = ({ errors }: EndpointReport): number =>
  (errors["credential_refused"] ?? 0) + (errors["forbidden"] ?? 0)
