import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { Health } from "../../../src/engine/health/Health.ts"
import type { BreakerReport } from "../../../src/engine/health/HealthSnapshot.ts"
import type { Outcome } from "../../../src/engine/health/Outcome.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { makeJumpingClock } from "../../makeJumpingClock.ts"

const dayMillis = 86_400_000

const settings = {
  breakerMinSamples: 2,
  breakerProbeIntervalMillis: 30_000,
  breakerRampMillis: 20_000
}

const start = () => {
  const clock = makeJumpingClock()
  const health = Effect.runSync(
    Effect.provide(Health, Health.layer.pipe(Layer.provide(Settings.layer(settings)))).pipe(
      Effect.provideService(Clock.Clock, clock)
    )
  )
  const record = (result: Outcome["result"], retryAfterMillis = 0) => {
    const at = health.time.now()
    health.record({
      endpoint: "a@one",
      startedAt: at - 10,
      at,
      result,
      latencyMillis: 10,
      ...(retryAfterMillis === 0 ? undefined : { retryAfterMillis })
    })
  }
  const report = () => {
    const { at, endpoints } = Effect.runSync(health.reportEndpoints(["a@one"]))
    const known = endpoints["a@one"]
    assert(known !== undefined)
    return { ...known, breaker: toRelative(known.breaker, at) }
  }
  return { clock, health, record, report }
}

/** The breaker, with times from the moment of the report on. */
const toRelative = (breaker: BreakerReport, at: number) => ({
  ...breaker,
  ...("since" in breaker ? { since: breaker.since - at } : undefined),
  ...("nextProbeAt" in breaker ? { nextProbeAt: breaker.nextProbeAt - at } : undefined),
  ...("until" in breaker ? { until: breaker.until - at } : undefined)
})

const jumps = [
  ["a day forward", dayMillis],
  ["a day back", -dayMillis],
  ["half a minute forward", 30_000],
  ["half a minute back", -30_000]
] as const

describe.each(jumps)("a clock that jumps %s", (_, jump) => {
  it("neither keeps an open breaker from its next probe nor brings that forward", () => {
    const { clock, health, record } = start()
    record("failure")
    record("failure")
    clock.advance(29_000)
    clock.jump(jump)
    assert.isFalse(health.claim("a@one"))
    clock.advance(1_000)
    assert.isTrue(health.claim("a@one"))
    assert.isFalse(health.claim("a@one"))
  })

  it("neither ends nor extends a wait that the provider asked for", () => {
    const { clock, health, record, report } = start()
    record("rate_limited", 60_000)
    clock.advance(59_000)
    clock.jump(jump)
    assert.isFalse(health.claim("a@one"))
    assert.include(report().breaker, { state: "backing_off", until: 1_000 })
    clock.advance(1_000)
    assert.isTrue(health.claim("a@one"))
  })

  it("forgets nothing of the last five minutes, and remembers nothing for longer", () => {
    const { clock, record, report } = start()
    record("success")
    clock.jump(jump)
    record("success")
    assert.strictEqual(report().samples, 2)
    clock.advance(331_000)
    assert.strictEqual(report().samples, 0)
  })

  it("moves the times in reports with it", () => {
    const { clock, health, record } = start()
    record("failure")
    record("failure")
    clock.jump(jump)
    const { at, endpoints } = health.snapshot(["a@one"])
    assert.strictEqual(at, clock.currentTimeMillisUnsafe())
    assert.deepInclude(endpoints["a@one"]?.breaker, {
      state: "open",
      since: at,
      nextProbeAt: at + 30_000
    })
  })
})

type Step =
  | { readonly kind: "outcome"; readonly result: Outcome["result"]; readonly retryAfter: number }
  | { readonly kind: "advance" | "jump"; readonly millis: number }
  | { readonly kind: "claim" }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("outcome" as const),
    result: fc.constantFrom("success", "failure", "rate_limited", "first_event"),
    retryAfter: fc.nat(100_000)
  }),
  fc.record({ kind: fc.constant("advance" as const), millis: fc.nat(40_000) }),
  fc.record({
    kind: fc.constant("jump" as const),
    millis: fc.integer({ min: -2 * dayMillis, max: 2 * dayMillis })
  }),
  fc.constant({ kind: "claim" as const })
)

/** Everything that can be seen after each step. */
const observe = (steps: ReadonlyArray<Step>, jumps: boolean) => {
  const { clock, health, record, report } = start()
  record("success")
  return steps.map((step) => {
    if (step.kind === "outcome") record(step.result, step.retryAfter)
    else if (step.kind === "advance") clock.advance(step.millis)
    else if (step.kind === "jump" && jumps) clock.jump(step.millis)
    return [step.kind === "claim" && health.claim("a@one"), report()]
  })
}

it("sees the same health whether the clock jumps or not", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      assert.deepStrictEqual(observe(steps, true), observe(steps, false))
    }),
    { numRuns: scaleRuns(100) }
  )
})
