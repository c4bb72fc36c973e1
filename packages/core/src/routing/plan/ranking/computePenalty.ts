/**
 * How far a candidate is moved back. An outage or a low uptime outweighs a missed preference; an order or a sort of
 * the request overrides uptime and outages, but not an ongoing ramp.
 */
import type { EndpointReport, HealthSnapshot } from "../../../engine/health/HealthSnapshot.ts"
import { type Candidate, isByok } from "../../Candidate.ts"
import { drawByKey } from "./drawByKey.ts"
import { findWeightReason } from "./findWeightReason.ts"
import type { Demotion, Reason } from "../../Reason.ts"
import { findMissedThresholds, type Threshold } from "./thresholds.ts"

export interface Penalty {
  /** 0 comes first. */
  readonly level: number
  readonly reasons: ReadonlyArray<Reason<Demotion>>
}

export interface PenaltyInput {
  /** The key of the conversation; absent: the request continues none. */
  readonly affinityKey?: number | undefined
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
  const measured = addWeight(
    candidate,
    report === undefined ? noPenalty : computeMeasured(candidate, report, input),
    input
  )
  const { byCondition, signedBy } = input
  return signedBy === undefined || !byCondition || candidate.reasoningFamily === signedBy
    ? measured
    : {
        level: measured.level + foreignPenalty,
        reasons: [...measured.reasons, toForeignReason(signedBy, candidate.reasoningFamily)]
      }
}

/** A customer's own credential goes first in any case, and the order or the sort of a request is its own. */
const addWeight = (candidate: Candidate, penalty: Penalty, input: PenaltyInput): Penalty => {
  const controls = input.health.controls
  if (controls === undefined || !input.byCondition || isByok(candidate)) return penalty
  const reason = findWeightReason(candidate.endpoint.id, controls, input)
  return reason === undefined
    ? penalty
    : {
        level: Math.max(penalty.level, penaltyLevels[1]),
        reasons: [...penalty.reasons, reason]
      }
}

const computeMeasured = (
  candidate: Candidate,
  report: EndpointReport,
  { affinityKey, byCondition, minSamples, random, thresholds }: PenaltyInput
): Penalty => {
  const misses = findMissedThresholds(thresholds, report, minSamples)
  const rampReason = findRampReason(
    candidate.id,
    report,
    byCondition ? affinityKey : undefined,
    random
  )
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
  report.breaker.state === "closed" &&
  report.returning === undefined &&
  assessCondition(report) === healthyCondition

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

const assessCondition = (report: EndpointReport): Condition => {
  const { outage, uptime } = report
  const known = findSuspectedUptime(report) ?? uptime.m5 ?? uptime.m30 ?? uptime.d1
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

/** The uptime of five minutes if the suspected attempts fail; undefined: none are suspected, or there are too few attempts. */
const findSuspectedUptime = ({
  errors,
  samples,
  suspected,
  uptime
}: EndpointReport): number | undefined => {
  if (suspected === undefined || uptime.m5 === undefined) return undefined
  const failures = Object.values(errors).reduce((sum, count) => sum + count, suspected)
  return (100 * samples) / (samples + failures)
}

/** Percent of successful attempts: at least 95 is normal, at least 80 degraded, less is down. */
const minNormalUptime = 95
const minDegradedUptime = 80

const toOutageReason = ({
  failures,
  of,
  processes,
  suspected
}: NonNullable<EndpointReport["outage"]>): Reason<Demotion> => ({
  rule: "outage",
  source: "health",
  wanted: "less than half of the recent attempts failing",
  found:
    processes !== undefined && failures === 0
      ? "the provider asked another process to wait"
      : [
          `${failures} of ${of} failed`,
          ...(processes === undefined ? [] : [`in ${processes} processes`]),
          ...(suspected === undefined ? [] : [`of which ${suspected} have not answered yet`])
        ].join(", ")
})

const toUptimeReason = (uptime: number): Reason<Demotion> => ({
  rule: "uptime",
  source: "health",
  wanted: `an uptime of at least ${minNormalUptime} %`,
  found: `${floorToHundredths(uptime)} %`
})

/**
 * After an outage, of which a breaker or several processes told, a growing share of requests gets through. A conversation comes back
 * once, at a share that its key decides.
 */
const findRampReason = (
  id: string,
  { breaker, returning }: EndpointReport,
  affinityKey: number | undefined,
  random: () => number
): Reason<Demotion> | undefined => {
  const share = breaker.state === "ramping" ? breaker.share : returning
  if (share === undefined) return undefined
  const drawn = affinityKey === undefined ? random() : drawByKey(affinityKey, `ramp ${id}`)
  return drawn < share
    ? undefined
    : {
        rule: "ramp",
        source: "health",
        wanted: "a share of the requests while it recovers",
        found: `${floorToHundredths(share * 100)} % get through`
      }
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
