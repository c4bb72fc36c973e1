import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { findCrossings, type LimitSpend } from "../../../src/domains/alerts/checkLimit.ts"
import type { AlertThreshold } from "../../../src/engine/observability/alerts/Alert.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"

const usd = (amount: number) => NanoUsd.fromUsdNumber(amount)

const find = (
  settled: number,
  thresholds: ReadonlyArray<AlertThreshold>,
  rest: Partial<LimitSpend> = {}
) =>
  findCrossings(thresholds, {
    cap: usd(10),
    settled: usd(settled),
    hasRefused: false,
    forecast: undefined,
    ...rest
  }).map(({ threshold }) => threshold)

const percentages = [{ percent: 50 }, { percent: 80 }, { percent: 100 }]

describe("findCrossings", () => {
  it("finds a threshold from exactly its amount", () => {
    assert.deepStrictEqual(find(4.999999999, percentages), [])
    assert.deepStrictEqual(find(5, percentages), [{ percent: 50 }])
    assert.deepStrictEqual(find(10, percentages), [{ percent: 100 }])
    assert.deepStrictEqual(find(0.1, [{ percent: 1 }]), [{ percent: 1 }])
    assert.deepStrictEqual(find(12, [{ percent: 120 }]), [{ percent: 120 }])
  })

  it("finds the highest one that spending jumped over, whatever their order", () => {
    assert.deepStrictEqual(find(9, percentages.toReversed()), [{ percent: 80 }])
    assert.deepStrictEqual(find(9, [{ percent: 50 }, { remaining: 1 }, { percent: 80 }]), [
      { remaining: 1 }
    ])
  })

  it("keeps shares, amounts, forecasts and refusals apart", () => {
    const thresholds: ReadonlyArray<AlertThreshold> = [
      { spent: 3 },
      { spent: 4 },
      { percent: 50 },
      { forecast: true },
      { refused: true }
    ]
    const forecast = { total: usd(11), exhaustedAt: 1 }
    assert.deepStrictEqual(find(6, thresholds, { forecast, hasRefused: true }), [
      { spent: 4 },
      { percent: 50 },
      { forecast: true },
      { refused: true }
    ])
    assert.deepStrictEqual(find(2, thresholds, { forecast: { ...forecast, total: usd(10) } }), [])
  })

  it("says nothing of a forecast once the limit is spent", () => {
    const forecast = { total: usd(20), exhaustedAt: undefined }
    assert.deepStrictEqual(find(10, [{ forecast: true }], { forecast }), [])
  })

  it("finds nothing before anything is spent", () => {
    assert.deepStrictEqual(find(0, [{ remaining: 20 }, { percent: 50 }]), [])
    assert.deepStrictEqual(find(0.01, [{ remaining: 20 }]), [{ remaining: 20 }])
    assert.deepStrictEqual(find(0, percentages, { cap: NanoUsd.zero }), [])
  })

  it("never loses a crossing when more is spent, nor finds one of a larger limit", () => {
    const amounts = fc.bigInt(0n, NanoUsd.maxAmount / 2n)
    fc.assert(
      fc.property(
        amounts,
        amounts,
        amounts,
        fc.double({ min: 0.001, max: 1_000, noNaN: true }),
        (cap, settled, more, percent) => {
          const isCrossed = (cap: bigint, settled: bigint) =>
            findCrossings([{ percent }], {
              cap: NanoUsd.make(cap),
              settled: NanoUsd.make(settled),
              hasRefused: false,
              forecast: undefined
            }).length > 0
          if (!isCrossed(cap, settled))
            return assert.isFalse(isCrossed(cap + more, settled) && settled > 0n && cap > 0n)
          assert.isTrue(isCrossed(cap, settled + more))
        }
      )
    )
  })
})
