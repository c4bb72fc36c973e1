/** What a replay foretells, against what would really have happened: the outcome of synthetic traffic is known. */
import { balanced, leastLatency, priceWeighted, type Strategy } from "@signalbox/core"
import { simulate } from "@signalbox/core/simulator"
import { describe, expect, test } from "vitest"
import { loadTraffic } from "../science/loadTraffic.ts"

const { answer, models, recording, requests } = loadTraffic()
const runBoth = (strategy: Strategy, seed: number) => ({
  truth: simulate({ recording: requests, models, strategy, seed, answer }),
  replay: simulate({ recording, models, strategy, seed })
})

describe.each([1, 2, 3])("a replay with seed %i", (seed) => {
  test.each([priceWeighted, balanced()])(
    "foretells $name within 5 % at the median and the 95th percentile",
    (strategy) => {
      const { replay, truth } = runBoth(strategy, seed)
      for (const percentile of ["p50", "p95"] as const) {
        const ratio = (replay[percentile] ?? 0) / (truth[percentile] ?? Number.NaN)
        expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(0.05)
      }
      expect(replay.extrapolates).toEqual([])
      expect([truth.failures, replay.failures]).toEqual([0, 0])
      const cost = Number(replay.cost) / Number(truth.cost)
      expect(Math.abs(cost - 1)).toBeLessThanOrEqual(0.01)
    }
  )

  test("says that least-latency extrapolates, whose queue is not recorded", () => {
    const { replay, truth } = runBoth(leastLatency(), seed)
    expect(replay.extrapolates).toEqual([
      expect.objectContaining({ endpoint: "acme/talker@charlie", reason: "load" })
    ])
    // Believing it would be wrong by more than half.
    expect(replay.p95).toBeLessThan(0.5 * (truth.p95 ?? 0))
  })
})

test("balanced halves the 95th percentile of price-weighted for less than 18 % more", () => {
  const [before, after] = [priceWeighted, balanced()].map((strategy) => runBoth(strategy, 1).truth)
  expect(after!.p95! / before!.p95!).toBeLessThanOrEqual(0.5)
  expect(Number(after!.cost) / Number(before!.cost)).toBeLessThanOrEqual(1.18)
})
