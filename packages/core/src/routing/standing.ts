/**
 * How far back a candidate stands, whatever puts the candidates in order: an outage or a low uptime
 * outweighs a missed preference. Sources: semantics A1, A2, A8; an order or a sort of the request
 * overrules uptime and outage, never an ongoing ramp.
 */
import type { EndpointReport, HealthSnapshot } from "../health/HealthSnapshot.ts"
import { type Candidate, isByok } from "./Candidate.ts"
import type { Demotion, Reason } from "./Reason.ts"
import { refusedLately, refusedReason } from "./refusedLately.ts"
import { missed, type Threshold } from "./thresholds.ts"

export interface Standing {
  /** 0 stands in front. */
  readonly level: number
  readonly reasons: ReadonlyArray<Reason<Demotion>>
}

export interface StandingInput {
  readonly health: HealthSnapshot
  readonly minSamples: number
  readonly thresholds: ReadonlyArray<Threshold>
  /** Whether the request leaves the order to the router, so that condition counts. */
  readonly byCondition: boolean
  readonly random: () => number
}

export const standingOf = (
  candidate: Candidate,
  { byCondition, health, minSamples, random, thresholds }: StandingInput
): Standing => {
  const report = health.endpoints[candidate.id]
  if (report === undefined) return inFront
  const misses = missed(thresholds, report, minSamples)
  const ramp = ramping(report, random)
  const condition = byCondition ? conditionOf(report) : sound
  const refusals = isByok(candidate) && refusedLately(report) ? [refusedReason(report)] : noReasons
  if (misses.length === 0 && ramp === undefined && condition === sound && refusals === noReasons) {
    return inFront
  }
  return {
    level:
      levels[Math.max(condition.severity, ramp === undefined ? 0 : 1)]! +
      (misses.length === 0 ? 0 : 1),
    reasons: [...refusals, ...condition.reasons, ...(ramp === undefined ? [] : [ramp]), ...misses]
  }
}

const noReasons: Standing["reasons"] = []
const inFront: Standing = { level: 0, reasons: noReasons }

/** Two steps each: within a condition, those that miss no preference stand first. */
const levels = [0, 2, 4] as const

interface Condition {
  readonly severity: 0 | 1 | 2
  readonly reasons: ReadonlyArray<Reason<Demotion>>
}

const sound: Condition = { severity: 0, reasons: [] }

const conditionOf = ({ outage, uptime }: EndpointReport): Condition => {
  const known = uptime.m5 ?? uptime.m30 ?? uptime.d1
  const low = known !== undefined && known < normalUptime
  if (outage === undefined && !low) return sound
  return {
    severity: outage !== undefined || (low && known < degradedUptime) ? 2 : 1,
    reasons: [
      ...(outage === undefined ? [] : [outageReason(outage)]),
      ...(low ? [uptimeReason(known)] : [])
    ]
  }
}

/** Percent. At least 95 is normal, at least 80 degraded, less is down. Source: semantics A8. */
const normalUptime = 95
const degradedUptime = 80

const outageReason = ({
  failures,
  of
}: NonNullable<EndpointReport["outage"]>): Reason<Demotion> => ({
  rule: "outage",
  source: "health",
  wanted: "less than half of the recent attempts failing",
  found: `${failures} of ${of} failed`
})

const uptimeReason = (uptime: number): Reason<Demotion> => ({
  rule: "uptime",
  source: "health",
  wanted: `an uptime of at least ${normalUptime} %`,
  found: `${hundredths(uptime)} %`
})

/** A breaker that closes again lets a growing share of the requests through. */
const ramping = ({ breaker }: EndpointReport, random: () => number): Reason<Demotion> | undefined =>
  breaker.state !== "ramping" || random() < breaker.share
    ? undefined
    : {
        rule: "ramp",
        source: "health",
        wanted: "a share of the requests while it recovers",
        found: `${hundredths(breaker.share * 100)} % get through`
      }

/** Rounded down, so that what is too little never reads like enough. */
const hundredths = (percent: number): number => Math.floor(percent * 100 + 1e-6) / 100
