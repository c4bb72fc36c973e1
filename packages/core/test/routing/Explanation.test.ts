import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"
import type { HealthSnapshot } from "../../src/engine/health/HealthSnapshot.ts"
import { HealthSnapshot as Wire } from "../../src/api/reports/HealthReport.ts"
import type { Candidate } from "../../src/routing/Candidate.ts"
import { toExplanation } from "../../src/routing/Explanation.ts"
import { leastLatency, priceWeighted } from "../../src/routing/plan/strategies/strategies.ts"
import type { PlanInput } from "../../src/routing/plan/plan.ts"
import type { Preferences } from "../../src/routing/Preferences.ts"
import { makeCandidate, makePricedCandidate } from "./makeCandidate.ts"
import { ab, ac, makePlan } from "./plan/makePlan.ts"
import { downReport, makeFlatPercentiles, makeReport, makeSnapshot } from "./makeReport.ts"

const explain = (
  candidates: ReadonlyArray<Candidate>,
  preferences: Preferences = {},
  rest: Partial<PlanInput> = {}
) => {
  const { health = makeSnapshot(), models = [{ id: ab }], seed = 1 } = rest
  const plan = makePlan(candidates, preferences, { ...rest, health, models, seed })
  return toExplanation({
    plan,
    models: models.map(({ id }) => id),
    configuration: 3,
    seed,
    health,
    requirements: rest.requirements ?? { parameters: [], inputTokens: 0, outputTokens: 0 },
    limits: [],
    constraints: []
  })
}

const roundTripJson = (value: object): unknown => JSON.parse(JSON.stringify(value))

/** Every breaker state, and fractional numbers. */
const sampleHealth: HealthSnapshot = makeSnapshot({
  steady: makeReport({
    samples: 212,
    latency: { p50: 301.1, p75: 400, p90: 812.7, p99: 4_100 },
    throughputSamples: 200,
    throughput: { p50: 81.3, p75: 60, p90: 33.33, p99: 0.1 },
    answers: { valid: 210, invalid: 2 },
    errors: { timeout: 3, ["__proto__"]: 1 },
    rateLimited: 4,
    uptime: { m5: (209 / 212) * 100, m30: 99, d1: 100 }
  }),
  shaky: { ...downReport, uptime: { d1: 93.1 }, samples: 30, latency: makeFlatPercentiles(90.25) },
  open: makeReport({
    breaker: { state: "open", since: 1_000, cause: "12 of 20 failed in 60 s", nextProbeAt: 9e12 }
  }),
  recovering: makeReport({ breaker: { state: "ramping", since: 990_000, share: 1 / 3 } }),
  limited: makeReport({
    breaker: { state: "backing_off", since: 1, cause: "rate limited", until: 1_000_001 }
  })
})
const sampleCandidates = ["steady", "shaky", "open", "recovering", "limited", "new"].map(
  (tag, index) => makePricedCandidate(tag, 1 + index)
)

describe("an explanation", () => {
  it("gives the position of each candidate and the reasons", () => {
    const candidates = [
      makeCandidate({ provider: "one", variant: "eu", name: "The One" }),
      makeCandidate({ provider: "two", name: "Two" }),
      makeCandidate({ provider: "three", name: "Three", of: "a/c" })
    ]
    const health = makeSnapshot({ "one/eu": downReport })
    assert.deepStrictEqual(
      explain(
        candidates,
        { ignore: ["two"] },
        { health, models: [{ id: ab }, { id: ac }], seed: 7 }
      ),
      {
        models: ["a/b", "a/c"],
        strategy: "cheapest",
        ordered: [
          {
            endpoint: "a/b@one/eu",
            model: "a/b",
            provider: "The One",
            estimated_cost: 0,
            demoted: [
              {
                rule: "outage",
                source: "health",
                wanted: "less than half of the recent attempts failing",
                found: "3 of 4 failed"
              }
            ]
          },
          { endpoint: "a/c@three", model: "a/c", provider: "Three", estimated_cost: 0 }
        ],
        rejected: [
          {
            endpoint: "a/b@two",
            model: "a/b",
            provider: "Two",
            reasons: [{ rule: "ignore", source: "request", wanted: "none of two", found: "two" }]
          }
        ],
        configuration: 3,
        seed: 7,
        health
      }
    )
  })

  it("estimates what the request costs at each candidate, if its prices are known", () => {
    const { ordered } = explain(
      [makePricedCandidate("one", 2), makePricedCandidate("two", undefined)],
      {},
      { requirements: { parameters: [], inputTokens: 1_000, outputTokens: 500 } }
    )
    assert.deepStrictEqual(
      ordered.map(({ endpoint, estimated_cost }) => [endpoint, estimated_cost]),
      [
        ["a/b@one", 0.003],
        ["a/b@two", undefined]
      ]
    )
  })

  it("marks a last resort, and names filters to relax only if no candidate is left", () => {
    const open = makeSnapshot({ one: sampleHealth.endpoints["a/b@open"]! })
    const last = explain([makePricedCandidate("one", 1)], {}, { health: open })
    assert.deepStrictEqual(last.ordered, [
      { endpoint: "a/b@one", model: "a/b", provider: "one", estimated_cost: 0, last_resort: true }
    ])
    assert.notProperty(last, "relax")
    const empty = explain([makePricedCandidate("one", 1)], { only: ["two"] }, { health: open })
    assert.deepStrictEqual(empty.ordered, [])
    assert.deepStrictEqual(empty.relax, [{ rule: "only", source: "request", wanted: "one of two" }])
    assert.deepStrictEqual(explain([]).relax, [])
  })

  it("is plain JSON", () => {
    const whole = explain(
      sampleCandidates,
      { preferred_max_latency: 0.3 },
      { health: sampleHealth }
    )
    assert.lengthOf(whole.rejected, 2)
    assert.isAtLeast(whole.ordered.filter(({ demoted }) => demoted !== undefined).length, 2)
    assert.deepStrictEqual(roundTripJson(whole), whole)
    assert.deepStrictEqual(roundTripJson(explain([])), explain([]))
  })

  it("repeats the plan from its snapshot and its seed", () => {
    assert.deepStrictEqual(roundTripJson(sampleHealth), sampleHealth)
    const replayed = Schema.decodeUnknownSync(Wire)(roundTripJson(sampleHealth))
    for (const strategy of [priceWeighted, leastLatency({ explore: 0.5 })]) {
      const seen = new Set<string>()
      for (let seed = 0; seed < 200; seed++) {
        const first = makePlan(sampleCandidates, {}, { health: sampleHealth, seed, strategy })
        assert.deepStrictEqual(
          makePlan(sampleCandidates, {}, { health: replayed, seed, strategy }),
          first
        )
        seen.add(JSON.stringify(first.ordered.map(({ id }) => id)))
      }
      // The seeds do differ.
      assert.isAbove(seen.size, 2)
    }
  })
})
