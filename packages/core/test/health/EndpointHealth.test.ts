import { assert, describe, it } from "vitest"
import fc from "fast-check"
import * as EndpointHealth from "../../src/health/EndpointHealth.ts"
import type { Outcome } from "../../src/health/Outcome.ts"

const window = 30_000

const outcome = (at: number, result: Outcome["result"]): Outcome => ({ endpoint: "e", at, result })

const folded = (outcomes: ReadonlyArray<Outcome>) =>
  outcomes.reduce(
    (health, outcome) => EndpointHealth.fold(health, outcome, window),
    EndpointHealth.empty
  )

const many = (successes: number, failures: number) =>
  folded([
    ...Array.from({ length: successes }, () => outcome(1_000, "success")),
    ...Array.from({ length: failures }, () => outcome(1_000, "failure"))
  ])

describe("hasOutage", () => {
  it.each([
    [0, 0, false],
    [1, 0, false],
    [0, 1, true],
    [1, 1, true],
    [2, 1, false],
    [3, 2, false],
    [2, 2, true],
    [99, 100, true],
    [101, 100, false]
  ])("after %d successes and %d failures is %s", (successes, failures, outage) => {
    assert.strictEqual(EndpointHealth.hasOutage(many(successes, failures), 1_000, window), outage)
  })

  it("forgets a failure once its whole second is older than the window", () => {
    const health = folded([outcome(5_400, "failure")])
    assert.isTrue(EndpointHealth.hasOutage(health, 5_400, window))
    assert.isTrue(EndpointHealth.hasOutage(health, 35_999, window))
    assert.isFalse(EndpointHealth.hasOutage(health, 36_000, window))
  })

  it("counts later outcomes against earlier ones as long as both are in the window", () => {
    const health = folded([
      outcome(1_000, "failure"),
      outcome(20_000, "success"),
      outcome(20_500, "success")
    ])
    assert.deepStrictEqual(EndpointHealth.counts(health, 20_500, window), {
      successes: 2,
      failures: 1
    })
    assert.isFalse(EndpointHealth.hasOutage(health, 20_500, window))
    assert.deepStrictEqual(EndpointHealth.counts(health, 40_000, window), {
      successes: 2,
      failures: 0
    })
  })
})

describe("fold", () => {
  const history = fc
    .array(fc.tuple(fc.nat(5_000), fc.constantFrom("success", "failure")), {
      maxLength: 200,
      size: "max"
    })
    .map((steps) => {
      let now = 1_700_000_000_000
      return steps.map(([pause, result]) => outcome((now += pause), result))
    })

  it("counts what a count over all outcomes counts, in buckets that do not pile up", () => {
    fc.assert(
      fc.property(history, (outcomes) => {
        const health = folded(outcomes)
        assert.isAtMost(health.buckets.length, window / 1_000 + 1)
        const now = outcomes.at(-1)?.at ?? 0
        // A bucket holds a second: it counts until all of it is older than the window.
        const inside = outcomes.filter(
          ({ at }) => (Math.floor(at / 1_000) + 1) * 1_000 > now - window
        )
        const failures = inside.filter(({ result }) => result === "failure").length
        assert.deepStrictEqual(EndpointHealth.counts(health, now, window), {
          successes: inside.length - failures,
          failures
        })
        assert.strictEqual(
          EndpointHealth.hasOutage(health, now, window),
          failures > 0 && failures * 2 >= inside.length
        )
      }),
      { numRuns: 1_000 }
    )
  })

  it("changes nothing in what it was given", () => {
    const before = folded([outcome(1_000, "failure")])
    const copy = structuredClone(before)
    EndpointHealth.fold(before, outcome(1_500, "failure"), window)
    assert.deepStrictEqual(before, copy)
  })
})
