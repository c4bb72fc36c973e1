import { assert, describe, it } from "vitest"
import fc from "fast-check"
import * as EndpointHealth from "../../src/health/EndpointHealth.ts"
import type { Outcome } from "../../src/health/Outcome.ts"
import { defaults } from "../../src/Settings.ts"

const window = defaults.outageWindowMillis

const outcome = (at: number, result: Outcome["result"]): Outcome => ({
  endpoint: "e",
  startedAt: at - 100,
  at,
  latencyMillis: 100,
  result
})

const folded = (outcomes: ReadonlyArray<Outcome>) =>
  outcomes.reduce(
    (health, outcome) => EndpointHealth.fold(health, outcome, defaults),
    EndpointHealth.empty
  )

const outageOf = (health: EndpointHealth.EndpointHealth, now: number) =>
  EndpointHealth.reportOf(health, now, defaults).outage

const many = (successes: number, failures: number) =>
  folded([
    ...Array.from({ length: successes }, () => outcome(1_000, "success")),
    ...Array.from({ length: failures }, () => outcome(1_000, "failure"))
  ])

describe("an outage", () => {
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
    assert.deepStrictEqual(
      outageOf(many(successes, failures), 1_000),
      outage ? { failures, of: successes + failures } : undefined
    )
  })

  it("is forgotten once the whole second of its failure is older than the window", () => {
    const health = folded([outcome(5_400, "failure")])
    assert.isDefined(outageOf(health, 5_400))
    assert.isDefined(outageOf(health, 35_999))
    assert.isUndefined(outageOf(health, 36_000))
  })

  it("counts later outcomes against earlier ones as long as both are in the window", () => {
    const health = folded([
      outcome(1_000, "failure"),
      outcome(20_000, "success"),
      outcome(20_500, "failure"),
      outcome(20_600, "success"),
      outcome(20_700, "success")
    ])
    assert.isUndefined(outageOf(health, 20_700))
    const later = folded([
      outcome(1_000, "success"),
      outcome(1_000, "success"),
      outcome(20_500, "failure"),
      outcome(20_600, "success")
    ])
    assert.isUndefined(outageOf(later, 20_600))
    assert.deepStrictEqual(outageOf(later, 40_000), { failures: 1, of: 2 })
  })

  const history = fc
    .array(fc.tuple(fc.nat(5_000), fc.constantFrom("success", "failure")), {
      maxLength: 200,
      size: "max"
    })
    .map((steps) => {
      let now = 1_700_000_000_000
      return steps.map(([pause, result]) => outcome((now += pause), result))
    })

  it("is what a count over all outcomes says, in buckets that do not pile up", () => {
    fc.assert(
      fc.property(history, (outcomes) => {
        const health = folded(outcomes)
        assert.isAtMost(health.seconds.older.length, window / 1_000)
        const now = outcomes.at(-1)?.at ?? 0
        // A bucket holds a second: it counts until all of it is older than the window.
        const inside = outcomes.filter(
          ({ at }) => (Math.floor(at / 1_000) + 1) * 1_000 > now - window
        )
        const failures = inside.filter(({ result }) => result === "failure").length
        assert.deepStrictEqual(
          outageOf(health, now),
          failures > 0 && failures * 2 >= inside.length
            ? { failures, of: inside.length }
            : undefined
        )
      }),
      { numRuns: 1_000 }
    )
  })
})

describe("fold", () => {
  it("changes nothing in what it was given", () => {
    const before = folded([outcome(1_000, "failure")])
    const copy = structuredClone(before)
    EndpointHealth.fold(before, outcome(1_500, "failure"), defaults)
    assert.deepStrictEqual(before, copy)
  })
})
