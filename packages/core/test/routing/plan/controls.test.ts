import { assert, describe, it } from "vitest"
import type { HealthSnapshot } from "../../../src/engine/health/HealthSnapshot.ts"
import { PlanMemory } from "../../../src/routing/plan/PlanMemory.ts"
import type { PlanInput } from "../../../src/routing/plan/plan.ts"
import { priceWeighted } from "../../../src/routing/plan/strategies/strategies.ts"
import { none } from "../../../src/routing/Preferences.ts"
import { makePricedCandidate } from "../makeCandidate.ts"
import { makeReport, makeSnapshot } from "../makeReport.ts"
import { ab, makePlan, summarizePlan, toTags } from "./makePlan.ts"

const candidates = [
  makePricedCandidate("one", 1),
  makePricedCandidate("two", 2),
  makePricedCandidate("three", 3)
]
const [, two] = candidates
const isAt = (tag: string | undefined): boolean => tag === "one"

/** By tag. */
const withControls = (
  controls: NonNullable<HealthSnapshot["controls"]>,
  snapshot = makeSnapshot()
): HealthSnapshot => ({
  ...snapshot,
  controls: Object.fromEntries(
    Object.entries(controls).map(([tag, control]) => [`a/b@${tag}`, control])
  )
})

/** How many of 1,000 requests go to each endpoint first. */
const countFirst = (health: HealthSnapshot, rest: Partial<PlanInput> = {}) => {
  const counts: Record<string, number> = {}
  for (let seed = 0; seed < 1_000; seed++) {
    const tag = makePlan(candidates, {}, { health, seed, ...rest }).ordered[0]!.endpoint.tag
    counts[tag] = (counts[tag] ?? 0) + 1
  }
  return counts
}

/** The endpoints of 300 conversations. The seed of each request is another one. */
const locate = (weight: number) =>
  Array.from({ length: 300 }, (_, key) => {
    const health = withControls({ one: { state: "active", weight } })
    const input = {
      health,
      strategy: priceWeighted,
      affinity: { by: "session_id", key }
    } as const
    const [first, again] = [1, 2].map(
      (seed) => toTags(makePlan(candidates, {}, { ...input, seed }).ordered)[0]
    )
    assert.strictEqual(first, again)
    return first
  })

describe("controls of an operator", () => {
  it("leave out drained and disabled endpoints, with the reason", () => {
    const health = withControls({
      one: { state: "drained", weight: 1 },
      three: { state: "disabled", weight: 1 }
    })
    assert.deepStrictEqual(summarizePlan(makePlan(candidates, {}, { health })), {
      strategy: "cheapest",
      ordered: ["two"],
      demoted: {},
      rejected: {
        one: ["drained of operator: wanted an endpoint in service, found drained"],
        three: ["disabled of operator: wanted an endpoint in service, found disabled"]
      }
    })
  })

  it("leave out the only endpoint, and that of an order, too", () => {
    const drained = { state: "drained", weight: 1 } as const
    const health = withControls({ one: drained, two: drained, three: drained })
    const { lastResort, ordered } = makePlan(candidates, { order: ["one"] }, { health })
    assert.deepStrictEqual([ordered, lastResort], [[], undefined])
  })

  it("leave the last candidate in service to its breaker", () => {
    const open = makeReport({
      breaker: { state: "open", since: 0, cause: "failed", nextProbeAt: 2_000_000 }
    })
    const drained = { state: "drained", weight: 1 } as const
    const health = withControls({ one: drained, three: drained }, makeSnapshot({ two: open }))
    assert.strictEqual(makePlan(candidates, {}, { health }).lastResort, two)
  })

  it("let an endpoint of reduced weight take part in its share of the requests", () => {
    const counts = countFirst(withControls({ one: { state: "active", weight: 0.25 } }))
    assert.isAbove(counts["one"]!, 200)
    assert.isBelow(counts["one"]!, 300)
    assert.strictEqual(counts["one"]! + counts["two"]!, 1_000)
    assert.deepStrictEqual(countFirst(withControls({ one: { state: "active", weight: 0 } })), {
      two: 1_000
    })
  })

  it("say what a weight has moved back", () => {
    const health = withControls({ one: { state: "active", weight: 0 } })
    const { demoted, ordered, rejected } = summarizePlan(makePlan(candidates, {}, { health }))
    assert.deepStrictEqual(ordered, ["two", "three", "one"])
    assert.deepStrictEqual(rejected, {})
    assert.deepStrictEqual(demoted, {
      one: [
        "weight of operator: wanted to be drawn by the weight of the endpoint, found a weight of 0"
      ]
    })
  })

  it("weigh nothing in requests that order or sort the endpoints", () => {
    const health = withControls({ one: { state: "active", weight: 0 } })
    for (const preferences of [{ order: ["one"] }, { sort: "price" }] as const) {
      assert.strictEqual(toTags(makePlan(candidates, preferences, { health }).ordered)[0], "one")
    }
  })

  it("move no more conversations than a smaller weight must", () => {
    const [full, half, none] = [locate(1), locate(0.5), locate(0)]
    assert.strictEqual(none.filter(isAt).length, 0)
    const [before, after] = [full.filter(isAt).length, half.filter(isAt).length]
    assert.isAbove(after, before * 0.3)
    assert.isBelow(after, before * 0.7)
    for (const [at, tag] of half.entries()) {
      if (!isAt(full[at]) || isAt(tag)) assert.strictEqual(tag, full[at])
    }
  })

  it("move a conversation from where its last success was", () => {
    const affinity = { by: "session_id", key: 7, pinned: "a/b@one" } as const
    const health = withControls({ one: { state: "drained", weight: 1 } })
    const moved = makePlan(candidates, {}, { health, affinity, strategy: priceWeighted })
    assert.strictEqual(moved.affinity?.did, "moved")
    assert.notInclude(toTags(moved.ordered), "one")
  })

  it("are considered for requests whose plans are remembered", () => {
    const memory = new PlanMemory(candidates)
    const input: PlanInput = {
      models: [{ id: ab }],
      candidates,
      preferences: none,
      constraints: [],
      requirements: { parameters: [], inputTokens: 300, outputTokens: 100 },
      health: makeSnapshot(),
      minSamples: 10,
      seed: 1,
      strategy: priceWeighted
    }
    const health = withControls({ one: { state: "disabled", weight: 1 } })
    for (let at = 0; at < 3; at++) {
      assert.include(toTags(memory.plan(input).ordered), "one")
      assert.notInclude(toTags(memory.plan({ ...input, health }).ordered), "one")
    }
  })
})
