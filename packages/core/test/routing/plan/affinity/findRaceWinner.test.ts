import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../../vitest.scope.ts"
import { findRaceWinner } from "../../../../src/routing/plan/affinity/findHome.ts"
import { computeChiSquare, criticalChiSquare } from "../../../chiSquare.ts"
import { makePricedCandidate } from "../../makeCandidate.ts"

const keys = 20_000

const makeContenders = (...costs: ReadonlyArray<number | undefined>) =>
  costs.map((cost, index) => ({
    candidate: makePricedCandidate(`provider-${index}`, cost),
    cost: cost ?? Infinity
  }))
type Contenders = ReturnType<typeof makeContenders>

/** How often each wins, over consecutive keys: even they must be as good as random. */
const countWins = (contenders: Contenders, shift = 0): ReadonlyArray<number> => {
  const counts = contenders.map(() => 0)
  for (let key = 0; key < keys; key++) {
    counts[contenders.indexOf(findRaceWinner(contenders, key, shift))]! += 1
  }
  return counts
}

const costs = fc.array(fc.constantFrom(0, 0.5, 1, 2, 3, 10, undefined), {
  minLength: 1,
  maxLength: 8
})
const key = fc.integer({ min: 0, max: 2 ** 32 - 1 })

describe("findRaceWinner", () => {
  it.each([
    ["different prices", [1, 2, 3, 0.9]],
    ["one price", [1, 1, 1, 1, 1]],
    ["prices of any size", [1e-12, 3e-12]],
    ["many", [5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7]]
  ])("is won in proportion to 1 / price^2: %s", (_, prices) => {
    const counts = countWins(makeContenders(...prices))
    const limit = criticalChiSquare(prices.length - 1)
    assert.isBelow(
      computeChiSquare(
        counts,
        prices.map((price) => 1 / price ** 2)
      ),
      limit
    )
  })

  it("would detect 1 / price", () => {
    const counts = countWins(makeContenders(1, 2, 3))
    assert.isAbove(computeChiSquare(counts, [1, 1 / 2, 1 / 3]), criticalChiSquare(2))
  })

  it("has the second as if the first had not run", () => {
    // P(second = c) = sum over a of P(a) * w_c / (1 - w_a), for shares w.
    const shares = [36, 9, 4].map((weight) => weight / 49)
    const expected = shares.map((share, index) =>
      shares.reduce((sum, first, i) => (i === index ? sum : sum + (first * share) / (1 - first)), 0)
    )
    const counts = countWins(makeContenders(1, 2, 3), 1)
    assert.isBelow(computeChiSquare(counts, expected), criticalChiSquare(2))
  })

  it("is won by free contenders alone, and by unknown prices only when all are unknown", () => {
    const [a, x, b] = countWins(makeContenders(0, 1, 0))
    assert.strictEqual(x, 0)
    assert.isBelow(computeChiSquare([a!, b!], [1, 1]), criticalChiSquare(1))
    assert.strictEqual(countWins(makeContenders(5, undefined))[1], 0)
    const unknown = countWins(makeContenders(undefined, undefined))
    assert.isBelow(computeChiSquare(unknown, [1, 1]), criticalChiSquare(1))
  })

  it("does not depend on the order, and loses only the wins of absent candidates", () => {
    fc.assert(
      fc.property(costs, key, fc.nat(7), (costs, key, absent) => {
        const contenders = makeContenders(...costs)
        const winner = findRaceWinner(contenders, key)
        assert.strictEqual(findRaceWinner(contenders.toReversed(), key), winner)
        const others = contenders.filter((each, index) => index !== absent || each === winner)
        assert.strictEqual(findRaceWinner(others, key), winner)
      }),
      { numRuns: scaleRuns(5_000) }
    )
  })

  it("takes each in turn as more requests are under way, and begins again", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), key, fc.nat(20), (count, key, round) => {
        const contenders = makeContenders(...Array.from({ length: count }, (_, i) => 1 + i))
        const finishers = contenders.map((_, shift) => findRaceWinner(contenders, key, shift))
        assert.strictEqual(new Set(finishers).size, count)
        assert.strictEqual(findRaceWinner(contenders, key, round * count + 1), finishers[1 % count])
        const left = contenders.filter((each) => each !== finishers[0])
        if (left.length > 0) assert.strictEqual(findRaceWinner(left, key), finishers[1])
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})
