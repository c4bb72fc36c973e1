import { assert, describe, it } from "vitest"
import type { Candidate } from "../../../../src/routing/Candidate.ts"
import { plan } from "../../../../src/routing/plan/plan.ts"
import { priceWeighted } from "../../../../src/routing/plan/strategies/strategies.ts"
import { emptyHealthSnapshot } from "../../../../src/engine/health/HealthSnapshot.ts"
import { ModelSlug } from "../../../../src/values/ids/Ids.ts"
import { makePricedCandidate } from "../../makeCandidate.ts"

const seeds = 20_000

/** How often each provider comes first, over many seeds. */
const firsts = (candidates: ReadonlyArray<Candidate>): Readonly<Record<string, number>> => {
  const counts = Object.fromEntries(candidates.map(({ endpoint }) => [endpoint.tag, 0]))
  for (let seed = 0; seed < seeds; seed++) {
    const { ordered } = plan({
      models: [{ id: ModelSlug.make("a/b") }],
      candidates,
      preferences: {},
      constraints: [],
      requirements: { parameters: [], inputTokens: 300, outputTokens: 100 },
      health: emptyHealthSnapshot,
      minSamples: 10,
      seed,
      strategy: priceWeighted
    })
    counts[ordered[0]!.endpoint.tag]! += 1
  }
  return counts
}

/** Pearson's chi-square of the counts against shares in proportion to `weights`. */
const chiSquare = (
  counts: Readonly<Record<string, number>>,
  weights: Readonly<Record<string, number>>
): number => {
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0)
  return Object.entries(weights).reduce((sum, [tag, weight]) => {
    const expected = (seeds * weight) / total
    return sum + (counts[tag]! - expected) ** 2 / expected
  }, 0)
}

/** Exceeded by chance once in a thousand times, at this many degrees of freedom. */
const critical: Readonly<Record<number, number>> = { 1: 10.828, 2: 13.816, 3: 16.266 }

describe("priceWeighted", () => {
  it("draws the first in proportion to 1 / price^2", () => {
    const counts = firsts([
      makePricedCandidate("a", 1),
      makePricedCandidate("b", 2),
      makePricedCandidate("c", 3),
      makePricedCandidate("d", 0.9)
    ])
    const weights = { a: 1, b: 1 / 4, c: 1 / 9, d: 1 / 0.81 }
    assert.isBelow(chiSquare(counts, weights), critical[3]!)
    // The test would detect 1 / price.
    assert.isAbove(chiSquare(counts, { a: 1, b: 1 / 2, c: 1 / 3, d: 1 / 0.9 }), critical[3]!)
  })

  it("draws prices of any size by their ratio", () => {
    for (const unit of [1e-12, 1e12]) {
      const counts = firsts([makePricedCandidate("a", unit), makePricedCandidate("b", 3 * unit)])
      assert.isBelow(chiSquare(counts, { a: 1, b: 1 / 9 }), critical[1]!)
    }
  })

  it("draws evenly among free endpoints, and no other while there are some", () => {
    const { x, ...counts } = firsts([
      makePricedCandidate("a", 0),
      makePricedCandidate("x", 0.001),
      makePricedCandidate("b", 0),
      makePricedCandidate("c", 0)
    ])
    assert.strictEqual(x, 0)
    assert.isBelow(chiSquare(counts, { a: 1, b: 1, c: 1 }), critical[2]!)
  })

  it("draws an unknown price only when all are unknown, and then evenly", () => {
    const { b } = firsts([makePricedCandidate("a", 5), makePricedCandidate("b", undefined)])
    assert.strictEqual(b, 0)
    const counts = firsts([
      makePricedCandidate("a", undefined),
      makePricedCandidate("b", undefined),
      makePricedCandidate("c", undefined)
    ])
    assert.isBelow(chiSquare(counts, { a: 1, b: 1, c: 1 }), critical[2]!)
  })

  it("draws a candidate even if rounding exceeds the total weight", () => {
    const [a, b] = [makePricedCandidate("a", 1), makePricedCandidate("b", 2)]
    const drawn = priceWeighted.first({
      contenders: [
        { candidate: a, cost: 1 },
        { candidate: b, cost: 2 }
      ],
      latency: () => undefined,
      recent: () => undefined,
      inFlight: () => 0,
      random: () => 1
    })
    assert.strictEqual(drawn.candidate, a)
  })
})
