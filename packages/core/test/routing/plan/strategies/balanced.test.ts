import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../../vitest.scope.ts"
import { balanced, drawByPrice } from "../../../../src/routing/plan/strategies/strategies.ts"
import { makeRandom } from "../../../../src/routing/plan/makeRandom.ts"
import { makePricedCandidate } from "../../makeCandidate.ts"
import { makeReport, makeSnapshot } from "../../makeReport.ts"
import { makePlan, toTags } from "../makePlan.ts"
import {
  anyContenders,
  anyDraw,
  type LoadedContender,
  makeChoices,
  makeContender
} from "./makeChoices.ts"

const toScore = ({ inFlight, recent }: LoadedContender): number => (recent ?? NaN) * (inFlight + 1)

/** How often each comes first, of many seeds. */
const countFirsts = (contenders: ReadonlyArray<LoadedContender>): ReadonlyArray<number> => {
  const counts = contenders.map(() => 0)
  for (let seed = 0; seed < runs; seed++) {
    const first = balanced().first(makeChoices(contenders, makeRandom(seed)))
    counts[contenders.indexOf(first)]! += 1
  }
  return counts.map((count) => count / runs)
}
const runs = 20_000

describe("balanced", () => {
  it("puts the sooner of two different candidates first, drawn by price", () => {
    fc.assert(
      fc.property(anyContenders, anyDraw, anyDraw, (contenders, one, other) => {
        const draws = [one, other]
        const chosen = balanced().first(
          makeChoices(contenders, () => draws.shift() ?? assert.fail("draws more than twice"))
        )
        const first = drawByPrice(contenders, one)!
        const second = drawByPrice(contenders, other, first)
        assert.notStrictEqual(second, first)
        if (second === undefined) return assert.strictEqual(chosen, first)
        assert.include([first, second], chosen)
        const loser = chosen === first ? second : first
        if (first.recent !== undefined && second.recent !== undefined) {
          assert.isAtMost(toScore(chosen), toScore(loser))
        } else {
          assert.isAtMost(chosen.inFlight, loser.inFlight)
        }
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("draws in proportion to 1 / price^2 while all are alike", () => {
    const shares = countFirsts([makeContender("a", 1, 100, 0), makeContender("b", 2, 100, 0)])
    assert.closeTo(shares[0]!, 0.8, 0.02)
    const three = ["a", "b", "c"].map((tag) => makeContender(tag, 1, 100, 0))
    for (const share of countFirsts(three)) assert.closeTo(share, 1 / 3, 0.02)
  })

  it("never puts the worst first, and the best only as often as it is drawn", () => {
    const shares = countFirsts([
      makeContender("busy", 1, 100, 9),
      makeContender("best", 1, 300, 0),
      makeContender("slow", 1, 900, 0)
    ])
    assert.strictEqual(shares[0], 0)
    assert.closeTo(shares[1]!, 2 / 3, 0.02)
    assert.closeTo(shares[2]!, 1 / 3, 0.02)
  })

  it("draws only free candidates if there are any", () => {
    const contenders = [makeContender("free", 0, 900, 30), makeContender("fast", 1, 10, 0)]
    assert.deepStrictEqual(countFirsts(contenders), [1, 0])
  })

  it("reads the load of a saved plan", () => {
    const candidates = [makePricedCandidate("one", 1), makePricedCandidate("two", 1)]
    const busy = makeReport({ samples: 100, recentMillis: 100, inFlight: 3 })
    const slow = makeReport({ samples: 100, recentMillis: 300 })
    for (let seed = 0; seed < 20; seed++) {
      const health = makeSnapshot({ one: busy, two: slow })
      const { ordered, strategy } = makePlan(candidates, {}, { health, seed, strategy: balanced() })
      assert.deepStrictEqual([strategy, ...toTags(ordered)], ["balanced", "two", "one"])
    }
    // The new one is expected to perform like its peers.
    const health = makeSnapshot({ one: busy })
    const { ordered } = makePlan(candidates, {}, { health, strategy: balanced() })
    assert.strictEqual(ordered[0]?.endpoint.tag, "two")
  })
})
