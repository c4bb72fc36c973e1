/**
 * What plans make of what other processes told of an endpoint: an outage that the processes see together, and once no evidence of it
 * is left, a share of requests that grows as after an open breaker. Otherwise all processes would forget the outage at the same
 * time, and each would learn of it anew.
 */
import type { SettingsShape } from "../../instance/Settings.ts"
import { computeRampShare } from "./Breaker.ts"
import type { EndpointHealth } from "./EndpointHealth.ts"
import type { EndpointReport, Outage } from "./HealthSnapshot.ts"
import type { Doubt } from "./SharedEvidence.ts"

/** The part of a tracked endpoint that other processes have a say in. */
export interface Doubted {
  readonly health: EndpointHealth
  /** Undefined: other processes told nothing, or a success here outweighs it. */
  doubt: Doubt | undefined
  /**
   * When the evidence of an outage that processes saw together will be old; undefined: they saw none, it was disproved, or the
   * ramp after it has ended.
   */
  returnsAt: number | undefined
}

/** The report with what other processes told. */
export const applyDoubt = (
  report: EndpointReport,
  known: Doubted,
  now: number,
  { breakerRampMillis }: Pick<SettingsShape, "breakerRampMillis">
): EndpointReport => {
  if (known.doubt === undefined && known.returnsAt === undefined) return report
  const told = look(known, now)
  const outage = report.outage ?? told
  if (outage !== undefined) return { ...report, outage }
  if (known.returnsAt === undefined) return report
  const elapsed = Math.max(0, now - known.returnsAt)
  if (elapsed < breakerRampMillis) {
    return { ...report, returning: computeRampShare(elapsed, breakerRampMillis) }
  }
  known.returnsAt = undefined
  return report
}

/** Replaces the doubt. When what was told disproves an outage, there is no ramp after it. */
export const replaceDoubt = (known: Doubted, doubt: Doubt | undefined, now: number): void => {
  const wasDoubted = isSeenTogether(look(known, now))
  known.doubt = doubt
  if (doubt === undefined) return
  const isDoubted = isSeenTogether(look(known, now))
  if (wasDoubted && !isDoubted) known.returnsAt = undefined
}

const look = (known: Doubted, now: number): Outage | undefined => {
  const { doubt, health, returnsAt } = known
  const outage = doubt?.findOutage(health, now, returnsAt !== undefined)
  if (isSeenTogether(outage)) known.returnsAt = doubt?.endsAt
  return outage
}

/** What a provider asks of one process is no outage. */
const isSeenTogether = (outage: Outage | undefined): boolean => (outage?.processes ?? 0) > 1
