import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../../vitest.scope.ts"
import { hotCold } from "../../../../src/routing/plan/strategies/strategies.ts"
import { anyContenders, type LoadedContender, makeChoices, makeContender } from "./makeChoices.ts"

const choose = (
  contenders: ReadonlyArray<LoadedContender>,
  options?: Parameters<typeof hotCold>[0]
): LoadedContender =>
  hotCold(options).first(makeChoices(contenders, () => assert.fail("it draws nothing")))

const chooseTag = (...parameters: Parameters<typeof choose>): string =>
  choose(...parameters).candidate.endpoint.tag

describe("hotCold", () => {
  it("chooses the fastest of those that are neither busy nor expensive", () => {
    const anyOptions = fc.record({
      quantile: fc.constantFrom(0, 0.5, 0.8, 1),
      maxPremium: fc.constantFrom(1, 1.5, 2, 10)
    })
    fc.assert(
      fc.property(anyContenders, anyOptions, (contenders, options) => {
        const chosen = choose(contenders, options)
        const bound = contenders[0]!.cost * options.maxPremium
        const affordable = contenders.filter(({ cost }) => cost <= bound)
        assert.include(affordable, chosen)
        // At least the share of the quantile is as busy as the busiest cold one.
        const isCold = ({ inFlight }: LoadedContender): boolean => {
          const below = affordable.filter((each) => each.inFlight < inFlight).length
          return below <= options.quantile * (affordable.length - 1)
        }
        assert.isTrue(isCold(chosen))
        for (const other of affordable.filter(isCold)) {
          assert.isFalse((other.recent ?? Infinity) < (chosen.recent ?? Infinity))
          if (chosen.recent === undefined) assert.isAtMost(chosen.inFlight, other.inFlight)
        }
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("leaves out the busiest of four, and what costs more than twice the cheapest", () => {
    const contenders = [
      makeContender("slow", 1, 900, 0),
      makeContender("medium", 1.5, 500, 1),
      makeContender("quick", 2, 300, 1),
      makeContender("fast", 2, 100, 2),
      makeContender("dear", 2.01, 10, 0)
    ]
    assert.strictEqual(chooseTag(contenders), "quick")
    assert.strictEqual(chooseTag(contenders, { quantile: 1 }), "fast")
    assert.strictEqual(chooseTag(contenders, { maxPremium: 3, quantile: 0.5 }), "dear")
    assert.strictEqual(chooseTag(contenders, { maxPremium: 1.5 }), "slow")
    assert.strictEqual(chooseTag(contenders, { maxPremium: 0 }), "slow")
  })

  it("prefers the cheaper of equals, and the less busy without measurements", () => {
    const equal = [makeContender("a", 1, 100, 1), makeContender("b", 1, 100, 1)]
    assert.strictEqual(chooseTag(equal), "a")
    const unmeasured = [makeContender("a", 1, undefined, 2), makeContender("b", 1, undefined, 1)]
    assert.strictEqual(chooseTag(unmeasured), "b")
  })
})
