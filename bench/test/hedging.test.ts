/** The goals of second attempts and of the strategies that look at load, over outcomes that are known for every endpoint. */
import { balanced, hotCold, priceWeighted } from "@signalbox/core"
import { describe, expect, it } from "vitest"
import { loadTraffic } from "../science/loadTraffic.ts"
import { makeStallingTraffic } from "../science/makeStallingTraffic.ts"
import { measureHedging } from "../science/measureHedging.ts"

const traffic = loadTraffic()
const { answer, models, requests: recording } = traffic

const measureBoth = (share: number, seed: number) => {
  const toTraffic = () => ({ recording, ...makeStallingTraffic(traffic, share, seed) })
  return {
    before: measureHedging(toTraffic, { strategy: priceWeighted }, [seed]),
    after: measureHedging(toTraffic, { strategy: priceWeighted, hedging: {} }, [seed])
  }
}

const measure = (strategy: typeof priceWeighted) =>
  measureHedging(() => ({ answer, models, recording }), { strategy }, [1])

describe("second attempts", () => {
  it.each([1, 2, 3])("cut the slowest where 3 in 100 stall, with seed %i", (seed) => {
    const { after, before } = measureBoth(0.03, seed)
    expect(after.p99).toBeLessThanOrEqual(0.3 * before.p99)
    expect(after.p999).toBeLessThanOrEqual(0.75 * before.p999)
    expect(after.p50).toBeLessThanOrEqual(1.1 * before.p50)
    expect(after.attempts).toBeLessThanOrEqual(1.09 * before.attempts)
    expect(after.usd).toBeLessThanOrEqual(1.09 * before.usd)
    expect(after.failures).toBe(0)
    // It is the second attempts that do it.
    expect(before.hedges).toBe(0)
    expect(after.wins).toBeGreaterThan(0.01 * recording.length)
  })

  it("stay within their budget when 40 in 100 stall", () => {
    const { after, before } = measureBoth(0.4, 1)
    expect(after.attempts).toBeLessThanOrEqual(1.105 * before.attempts)
    expect(after.hedges).toBeLessThanOrEqual(10 + 0.08 * recording.length)
    expect(after.p99).toBeLessThan(before.p99)
  })
})

describe("strategies that look at load", () => {
  const base = measure(priceWeighted)

  it.each([balanced(), hotCold()])(
    "$name is faster than price-weighted for little more",
    (strategy) => {
      const { failures, p95, p99, usd } = measure(strategy)
      expect(p95).toBeLessThanOrEqual(0.5 * base.p95)
      expect(p99).toBeLessThanOrEqual(0.75 * base.p99)
      expect(usd).toBeLessThanOrEqual(1.18 * base.usd)
      expect(failures).toBeLessThanOrEqual(base.failures)
    }
  )
})
