/**
 * The circuit breaker of an endpoint: a pure state machine over its outcomes.
 *
 * closed: every attempt is let through. Enough failures in the window open it.
 * open: one claimed attempt per interval probes it; no other outcome counts. A failed probe delays
 * the next one, a successful one starts the ramp.
 * ramping: its share of traffic grows back. It opens again by the same ratio of failures, of what was
 * started since the ramp began, from a third of the samples, because little traffic is sent.
 *
 * `effect/persistence/CircuitBreaker` wraps the call, so a plan could not read it, and has no ramp.
 */
import type { SettingsShape } from "../../instance/Settings.ts"
import * as Counts from "./Counts.ts"
import type { BreakerReport } from "./HealthSnapshot.ts"
import { isStartedSince, type Outcome } from "./Outcome.ts"
import * as Sliding from "./SlidingWindow.ts"

export type Breaker = PassingBreaker | OpenBreaker

interface PassingBreaker {
  readonly state: "closed" | "ramping"
  /** When the breaker last closed or began to ramp; 0: it never opened. Earlier attempts do not count. */
  readonly since: number
  readonly counts: Sliding.SlidingWindow<Counts.Counts>
}

interface OpenBreaker {
  readonly state: "open"
  readonly since: number
  readonly cause: string
  readonly nextProbeAt: number
  /**
   * The first claim whose probe has not ended: attempts started since then count as probes. It
   * stays when a probe's outcome is ignored or never comes; the next interval grants another claim.
   */
  readonly claimedAt: number | undefined
}

export type BreakerRules = Pick<
  SettingsShape,
  | "breakerWindowMillis"
  | "breakerMinSamples"
  | "breakerFailureRatio"
  | "breakerProbeIntervalMillis"
  | "breakerRampMillis"
>

export const closedBreaker: Breaker = { state: "closed", since: 0, counts: Sliding.empty }

export const record = (breaker: Breaker, outcome: Outcome, rules: BreakerRules): Breaker => {
  const failed = Counts.isFailure(outcome)
  if (failed === undefined) return breaker
  return breaker.state === "open"
    ? applyProbe(breaker, outcome, failed, rules)
    : countOutcome(completeRamp(breaker, outcome.at, rules), outcome, failed, rules)
}

/** Whether only the counts change when an attempt succeeds. */
export const onlyCounts = (breaker: Breaker, outcome: Outcome): boolean =>
  breaker.state === "closed" && isStartedSince(outcome, breaker.since)

/** Records `count` successes of one second, if any; `onlyCounts` must hold for them. */
export const recordSuccesses = (
  breaker: Breaker,
  count: number,
  at: number,
  { breakerWindowMillis }: BreakerRules
): Breaker =>
  breaker.state === "open" || count === 0
    ? breaker
    : {
        ...breaker,
        counts: Sliding.addAll(
          Counts.bySecond,
          breaker.counts,
          count,
          at,
          breakerWindowMillis,
          Counts.addSuccesses
        )
      }

/** The breaker after it let an attempt through; undefined when it lets none through. */
export const claim = (breaker: Breaker, now: number, rules: BreakerRules): Breaker | undefined => {
  if (breaker.state !== "open") return breaker
  if (now < breaker.nextProbeAt) return undefined
  const nextProbeAt = now + rules.breakerProbeIntervalMillis
  return { ...breaker, nextProbeAt, claimedAt: breaker.claimedAt ?? now }
}

export const toReport = (breaker: Breaker, now: number, rules: BreakerRules): BreakerReport => {
  if (breaker.state === "open") {
    const { cause, nextProbeAt, since, state } = breaker
    return { state, since, cause, nextProbeAt }
  }
  const { since, state } = completeRamp(breaker, now, rules)
  return state === "closed"
    ? closedReport
    : { state, since, share: computeRampShare(now - since, rules.breakerRampMillis) }
}

const closedReport: BreakerReport = { state: "closed" }

/** A finished ramp is closed. */
const completeRamp = (
  breaker: PassingBreaker,
  now: number,
  { breakerRampMillis }: BreakerRules
): PassingBreaker =>
  breaker.state === "ramping" && now - breaker.since >= breakerRampMillis
    ? { ...breaker, state: "closed" }
    : breaker

/** A ramp sends little traffic. */
export const getMinSamples = (
  isRamping: boolean,
  { breakerMinSamples }: Pick<BreakerRules, "breakerMinSamples">
): number => (isRamping ? Math.ceil(breakerMinSamples / 3) : breakerMinSamples)

const minRampShare = 0.1

/** The share of requests that get through, after `elapsed` milliseconds of the ramp. */
export const computeRampShare = (elapsed: number, rampMillis: number): number =>
  minRampShare + (1 - minRampShare) * (elapsed / rampMillis)

const countOutcome = (
  breaker: PassingBreaker,
  outcome: Outcome,
  failed: boolean,
  rules: BreakerRules
): Breaker => {
  if (!isStartedSince(outcome, breaker.since)) return breaker
  const { at } = outcome
  const window = rules.breakerWindowMillis
  const counts = Sliding.add(Counts.bySecond, breaker.counts, failed, at, window)
  const { since, state } = breaker
  if (failed) {
    const { failures, successes } = Sliding.total(Counts.bySecond, counts, at, window)
    const samples = failures + successes
    const ramping = state === "ramping"
    const minSamples = getMinSamples(ramping, rules)
    if (samples >= minSamples && failures >= samples * rules.breakerFailureRatio) {
      const when = ramping ? "while ramping" : `in ${window / 1_000} s`
      return {
        state: "open",
        since: at,
        cause: `${failures} of ${samples} failed ${when}`,
        nextProbeAt: at + rules.breakerProbeIntervalMillis,
        claimedAt: undefined
      }
    }
  }
  return { state, since, counts }
}

const applyProbe = (
  breaker: OpenBreaker,
  outcome: Outcome,
  failed: boolean,
  rules: BreakerRules
): Breaker => {
  if (breaker.claimedAt === undefined || !isStartedSince(outcome, breaker.claimedAt)) return breaker
  return failed
    ? {
        ...breaker,
        nextProbeAt: outcome.at + rules.breakerProbeIntervalMillis,
        claimedAt: undefined
      }
    : { state: "ramping", since: outcome.at, counts: Sliding.empty }
}
