/** Plain outcomes that are folded together give the health that they give one after the other. */
import { assert, describe, it } from "vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import * as EndpointHealth from "../../../src/engine/health/EndpointHealth.ts"
import { Health } from "../../../src/engine/health/Health.ts"
import type { Outcome } from "../../../src/engine/health/Outcome.ts"
import * as Settings from "../../../src/instance/Settings.ts"

const rules = { ...Settings.defaults, breakerMinSamples: 5, rateLimitBackoffMillis: 2_000 }

const measurements = fc.record(
  {
    latencyMillis: fc.double({ min: 0, max: 1e6, noNaN: true }),
    totalMillis: fc.double({ min: 0, max: 1e6, noNaN: true }),
    outputTokens: fc.nat(5_000),
    prompt: fc.record(
      { inputTokens: fc.nat(5_000), cachedTokens: fc.nat(5_000) },
      { requiredKeys: ["inputTokens"] }
    )
  },
  { requiredKeys: [] }
)
const result = fc.constantFrom<Outcome["result"]>(
  "success",
  "success",
  "success",
  "first_event",
  "failure",
  "invalid_answer",
  "rate_limited",
  "ignored"
)
const endpoint = "e"

const fold = (health: EndpointHealth.EndpointHealth, outcomes: ReadonlyArray<Outcome>) =>
  outcomes.reduce((before, outcome) => EndpointHealth.recordOutcome(before, outcome, rules), health)

describe("recordPlain", () => {
  it("equals recording one after the other, after any history and any jump of the clock", () => {
    const history = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 4_000_000 }), result, measurements),
      { maxLength: 30 }
    )
    const plain = fc.array(
      fc.tuple(
        fc.nat(999),
        fc.constantFrom<Outcome["result"]>("success", "first_event"),
        measurements
      ),
      { minLength: 1, maxLength: 40 }
    )
    fc.assert(
      fc.property(history, fc.nat(4_000), plain, (before, second, after) => {
        const health = fold(
          EndpointHealth.empty,
          before.map(([at, result, measured]) => ({
            ...measured,
            endpoint,
            startedAt: at - 5,
            at,
            result
          }))
        )
        const outcomes = after.map(([millis, result, measured]): Outcome => {
          const at = second * 1_000 + millis
          return { ...measured, endpoint, startedAt: at, at, result }
        })
        fc.pre(outcomes.every((outcome) => EndpointHealth.isPlain(health, outcome)))
        const [first, ...others] = outcomes
        assert.isDefined(first)
        assert.deepStrictEqual(
          EndpointHealth.recordPlain(health, [first, ...others], rules),
          fold(health, outcomes)
        )
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})

/** What is done with the service, and how many milliseconds pass before. */
const step = fc.record({
  wait: fc.oneof(fc.nat(3), fc.nat(400), fc.nat(2_500)),
  action: fc.oneof(
    fc.record({
      result: fc.constantFrom<Outcome["result"]>("success", "first_event"),
      measured: measurements
    }),
    fc.record({ result, measured: measurements }),
    fc.constantFrom("snapshot", "current", "claim", "report", "begin", "end")
  )
})

const services = Health.layer.pipe(
  Layer.provide(Settings.layer(rules)),
  Layer.provideMerge(TestClock.layer())
)

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** What the service reports and claims, and what folding each outcome gives. */
const collectReports = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const health = yield* Health
  let folded = EndpointHealth.empty
  let inFlight = 0
  const actual: Array<unknown> = []
  const expected: Array<unknown> = []
  for (const { action, wait } of steps) {
    yield* TestClock.adjust(wait)
    const now = yield* Clock.currentTimeMillis
    if (action === "snapshot") {
      const report = health.snapshot([endpoint]).endpoints[endpoint]
      const { breaker, outage } = EndpointHealth.toReport(folded, now, rules)
      actual.push(report?.breaker, report?.outage)
      const isKnown = inFlight > 0 || folded !== EndpointHealth.empty
      expected.push(isKnown ? breaker : undefined, outage)
    } else if (action === "current") {
      const report = health.snapshot([endpoint], true).endpoints[endpoint]
      actual.push(report?.inFlight ?? 0, report?.recentMillis)
      expected.push(inFlight, EndpointHealth.toReport(folded, now, rules).recentMillis)
    } else if (action === "begin") {
      health.begin(endpoint)
      inFlight += 1
    } else if (action === "end") {
      if (inFlight === 0) continue
      health.end(endpoint)
      inFlight -= 1
    } else if (action === "claim") {
      const claimed = EndpointHealth.claim(folded, now, rules)
      actual.push(health.claim(endpoint))
      expected.push(claimed !== undefined)
      folded = claimed ?? folded
    } else if (action === "report") {
      const { endpoints } = yield* health.reportEndpoints([endpoint])
      const longer = EndpointHealth.toLongWindowStats(folded, now)
      const report = {
        ...EndpointHealth.toReport(folded, now, rules),
        ...(inFlight === 0 ? undefined : { inFlight }),
        longer
      }
      actual.push(endpoints[endpoint])
      expected.push(inFlight === 0 && folded === EndpointHealth.empty ? undefined : report)
    } else {
      const { measured, result } = action
      const outcome: Outcome = { ...measured, endpoint, startedAt: now, at: now, result }
      health.record(outcome)
      folded = EndpointHealth.recordOutcome(folded, outcome, rules)
    }
  }
  return { actual, expected }
})

describe("Health", () => {
  it("reports what all outcomes give, whenever it is asked", () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 80 }), async (steps) => {
        const collecting = collectReports(steps).pipe(Effect.provide(services), Effect.scoped)
        const { actual, expected } = await Effect.runPromise(collecting)
        assert.deepStrictEqual(actual, expected)
      }),
      { numRuns: scaleRuns(1_000) }
    ))
})
