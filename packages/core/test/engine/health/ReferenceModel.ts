/**
 * A simple model of breaker and backoff of one endpoint: it keeps every outcome and counts all of
 * them each time. The clock must not go backwards.
 */
import type { BreakerReport } from "../../../src/engine/health/HealthSnapshot.ts"
import type { HealthRules } from "../../../src/engine/health/EndpointHealth.ts"
import type { Outcome } from "../../../src/engine/health/Outcome.ts"

type State = "closed" | "open" | "ramping"

export class ReferenceModel {
  readonly rules: HealthRules
  state: State = "closed"
  since = 0
  cause = ""
  /** The outcomes counted since `since`. */
  attempts: Array<{ readonly second: number; readonly failed: boolean }> = []
  /** The claims granted since it opened or its last probe ended. */
  probes: Array<number> = []
  nextProbeAt = 0
  limitedAt: number | undefined
  until = 0
  repeats = 0
  why = ""

  constructor(rules: HealthRules) {
    this.rules = rules
  }

  /** A ramp ends without an outcome. */
  #pass(now: number) {
    if (this.state === "ramping" && now >= this.since + this.rules.breakerRampMillis) {
      this.state = "closed"
    }
  }

  claim(now: number): boolean {
    this.#pass(now)
    if (now < this.until) return false
    if (this.state !== "open") return true
    if (now < this.nextProbeAt) return false
    this.probes.push(now)
    this.nextProbeAt = now + this.rules.breakerProbeIntervalMillis
    return true
  }

  record(outcome: Outcome) {
    const { at, result } = outcome
    this.#pass(at)
    if (result === "ignored") return
    this.#limit(outcome)
    if (result === "rate_limited") return
    const failed = result !== "success"
    if (this.state === "open") this.#probe(outcome, failed)
    else if (outcome.startedAt >= this.since) this.#count(at, failed)
  }

  #probe({ at, startedAt }: Outcome, failed: boolean) {
    if (!this.probes.some((claimedAt) => startedAt >= claimedAt)) return
    this.probes = []
    if (failed) {
      this.nextProbeAt = at + this.rules.breakerProbeIntervalMillis
    } else {
      this.state = "ramping"
      this.since = at
      this.attempts = []
    }
  }

  #count(at: number, failed: boolean) {
    const { breakerFailureRatio, breakerMinSamples, breakerWindowMillis: window } = this.rules
    this.attempts.push({ second: Math.floor(at / 1_000), failed })
    if (!failed) return
    const inside = this.attempts.filter(({ second }) => (second + 1) * 1_000 > at - window)
    const failures = inside.filter(({ failed }) => failed).length
    const ramping = this.state === "ramping"
    const enough = ramping ? Math.ceil(breakerMinSamples / 3) : breakerMinSamples
    if (inside.length < enough || failures < inside.length * breakerFailureRatio) return
    const when = ramping ? "while ramping" : `in ${window / 1_000} s`
    this.state = "open"
    this.since = at
    this.cause = `${failures} of ${inside.length} failed ${when}`
    this.nextProbeAt = at + this.rules.breakerProbeIntervalMillis
    this.probes = []
  }

  #limit({ at, result, retryAfterMillis = 0, startedAt }: Outcome) {
    const { maxRateLimitBackoffMillis, maxRetryAfterMillis, rateLimitBackoffMillis } = this.rules
    const news = this.limitedAt === undefined || startedAt >= this.limitedAt
    if (result === "success") {
      if (!news) return
      this.limitedAt = undefined
      this.until = 0
      this.repeats = 0
      return
    }
    const asked = Math.min(retryAfterMillis, maxRetryAfterMillis)
    const limited = result === "rate_limited"
    if (!news) {
      if (at + asked <= this.until || asked === 0) return
      this.until = at + asked
      this.#explain(asked)
      return
    }
    if (!limited && asked === 0) return
    if (limited) this.repeats += 1
    let short = limited ? rateLimitBackoffMillis : 0
    for (let repeat = 1; repeat < this.repeats; repeat++) {
      short = Math.min(short * 2, maxRateLimitBackoffMillis)
    }
    this.limitedAt = at
    this.until = Math.max(at < this.until ? this.until : 0, at + asked, at + short)
    this.#explain(asked > short ? asked : 0)
  }

  #explain(asked: number) {
    const times = this.repeats > 1 ? ` ${this.repeats} times in a row` : ""
    const what = this.repeats === 0 ? "failed" : `rate limited${times}`
    this.why = asked === 0 ? what : `${what}, asked to wait ${asked / 1_000} s`
  }

  report(now: number): BreakerReport {
    this.#pass(now)
    const { cause, limitedAt, nextProbeAt, since, until } = this
    const limited = now < until
    if (this.state === "open") {
      return {
        state: "open",
        since,
        cause,
        nextProbeAt: limited ? Math.max(nextProbeAt, until) : nextProbeAt
      }
    }
    if (limited) return { state: "backing_off", since: limitedAt ?? 0, cause: this.why, until }
    if (this.state === "closed") return { state: "closed" }
    const share = 0.1 + (0.9 * (now - since)) / this.rules.breakerRampMillis
    return { state: "ramping", since, share }
  }
}
