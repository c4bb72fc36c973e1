import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import * as EndpointHealth from "../../../src/engine/health/EndpointHealth.ts"
import type { BreakerReport } from "../../../src/engine/health/HealthSnapshot.ts"
import type { Outcome } from "../../../src/engine/health/Outcome.ts"
import { defaults } from "../../../src/instance/Settings.ts"
import { ReferenceModel } from "./ReferenceModel.ts"

type Step =
  | { readonly do: "wait"; readonly millis: number }
  | { readonly do: "claim" }
  | {
      readonly do: "end"
      readonly result: Outcome["result"]
      readonly tookMillis: number
      readonly retryAfterMillis: number | undefined
    }

const rules = fc.record({
  breakerWindowMillis: fc.constantFrom(1_000, 5_500, 60_000),
  breakerMinSamples: fc.constantFrom(1, 2, 5, 10),
  breakerFailureRatio: fc.constantFrom(0.1, 0.5, 0.9, 1),
  breakerProbeIntervalMillis: fc.constantFrom(1, 1_000, 15_000),
  breakerRampMillis: fc.constantFrom(1, 1_000, 30_000),
  rateLimitBackoffMillis: fc.constantFrom(1, 1_000),
  maxRateLimitBackoffMillis: fc.constantFrom(1_000, 60_000),
  maxRetryAfterMillis: fc.constantFrom(1_000, 300_000)
})

const wait = fc
  .oneof(fc.nat(1_500), fc.constantFrom(0, 1, 999, 1_000, 14_999, 15_000), fc.nat(90_000))
  .map((millis): Step => ({ do: "wait", millis }))
const claim = fc.constant<Step>({ do: "claim" })
const end = fc.record({
  do: fc.constant("end" as const),
  result: fc.oneof(
    { weight: 5, arbitrary: fc.constant("failure" as const) },
    { weight: 4, arbitrary: fc.constant("success" as const) },
    { weight: 3, arbitrary: fc.constantFrom("rate_limited", "invalid_answer", "ignored") }
  ),
  tookMillis: fc.oneof(fc.constant(0), fc.nat(500), fc.nat(60_000)),
  retryAfterMillis: fc.option(fc.constantFrom(0, 1, 2_000, 45_000, 1e9), {
    nil: undefined,
    freq: 3
  })
})
const step = fc.oneof(
  { weight: 3, arbitrary: wait },
  { weight: 3, arbitrary: claim },
  { weight: 6, arbitrary: end }
)
const steps = fc.array<Step>(step, { maxLength: 120, size: "max" })

const start = 1_700_000_000_000

const toOutcome = (step: Step & { readonly do: "end" }, now: number): Outcome => ({
  endpoint: "a/b@one",
  startedAt: now - step.tookMillis,
  at: now,
  latencyMillis: step.tookMillis,
  result: step.result,
  ...(step.retryAfterMillis === undefined ? undefined : { retryAfterMillis: step.retryAfterMillis })
})

const isSame = (actual: BreakerReport, expected: BreakerReport) => {
  if (actual.state === "ramping" && expected.state === "ramping") {
    assert.closeTo(actual.share, expected.share, 1e-9)
    assert.strictEqual(actual.since, expected.since)
  } else {
    assert.deepStrictEqual(actual, expected)
  }
}

const getBreaker = (
  health: EndpointHealth.EndpointHealth,
  now: number,
  rules: EndpointHealth.HealthRules
) => EndpointHealth.toReport(health, now, rules).breaker

const getWaitMillis = (actual: BreakerReport, now: number): number => {
  if (actual.state === "backing_off") return actual.until
  return actual.state === "open" ? Math.max(actual.nextProbeAt, now) : now
}

/** Waits as long as the report says, tries once with success, and waits until the ramp ends. */
const recover = (
  health: EndpointHealth.EndpointHealth,
  now: number,
  rules: EndpointHealth.HealthRules
) => {
  const later = getWaitMillis(getBreaker(health, now, rules), now)
  const claimed = EndpointHealth.claim(health, later, rules)
  assert(claimed !== undefined, `not let through at ${later}`)
  const success: Outcome = {
    endpoint: "a/b@one",
    startedAt: later,
    at: later,
    latencyMillis: 0,
    result: "success"
  }
  const served = EndpointHealth.recordOutcome(claimed, success, rules)
  return getBreaker(served, later + rules.breakerRampMillis, rules)
}

describe("breaker and backoff", () => {
  it("match the simple model, and admit at most one probe per interval while open", () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(rules, steps, (some, steps) => {
        const rules = { ...defaults, ...some }
        const model = new ReferenceModel(rules)
        let health = EndpointHealth.empty
        let now = start
        let granted: { readonly openedAt: number; readonly at: number } | undefined
        let before = getBreaker(health, now, rules)
        for (const step of steps) {
          if (step.do === "wait") {
            now += step.millis
          } else if (step.do === "claim") {
            const expected = model.claim(now)
            const claimed = EndpointHealth.claim(health, now, rules)
            assert.strictEqual(claimed !== undefined, expected)
            health = claimed ?? health
            if (claimed !== undefined && before.state === "open") {
              const since = granted?.openedAt === before.since ? granted.at : before.since
              assert.isAtLeast(now - since, rules.breakerProbeIntervalMillis)
              granted = { openedAt: before.since, at: now }
              seen.set("probe", (seen.get("probe") ?? 0) + 1)
            }
          } else {
            const outcome = toOutcome(step, now)
            model.record(outcome)
            health = EndpointHealth.recordOutcome(health, outcome, rules)
          }
          const current = getBreaker(health, now, rules)
          isSame(current, model.report(now))
          if (current.state !== "closed") {
            assert.isTrue(current.since >= start && current.since <= now)
          }
          if (current.state === "ramping") {
            assert.isTrue(current.share >= 0.1 && current.share <= 1)
            if (before.state === "ramping" && before.since === current.since) {
              assert.isAtLeast(current.share, before.share)
            }
          }
          if (before.state !== current.state) {
            const change = `${before.state} -> ${current.state}`
            seen.set(change, (seen.get(change) ?? 0) + 1)
          }
          before = current
        }
        assert.deepStrictEqual(recover(health, now, rules), { state: "closed" })
      }),
      { numRuns: scaleRuns(2_000) }
    )
    // The test must reach every state.
    for (const change of [
      "probe",
      "closed -> open",
      "closed -> backing_off",
      "open -> ramping",
      "ramping -> open",
      "ramping -> closed",
      "ramping -> backing_off",
      "backing_off -> open",
      "backing_off -> ramping",
      "backing_off -> closed"
    ]) {
      assert.isAbove(seen.get(change) ?? 0, 5, change)
    }
  })
})
