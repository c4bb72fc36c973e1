import { assert, describe, it } from "vitest"
import type { EndpointReport } from "../../../../src/engine/health/HealthSnapshot.ts"
import type { Preferences } from "../../../../src/routing/Preferences.ts"
import {
  findMissedThresholds,
  parseThresholds
} from "../../../../src/routing/plan/ranking/thresholds.ts"
import { toSentence } from "../makePlan.ts"
import { makeFlatPercentiles, makeReport } from "../../makeReport.ts"

const minSamples = 10

const misses = (preferences: Preferences, report: EndpointReport | undefined) =>
  findMissedThresholds(parseThresholds(preferences), report, minSamples).map(toSentence)

/** In milliseconds. */
const timed = (latency: number, samples = 100) =>
  makeReport({ samples, latency: makeFlatPercentiles(latency) })
/** In tokens per second. */
const wrote = (throughput: number, throughputSamples = 100) =>
  makeReport({ throughputSamples, throughput: makeFlatPercentiles(throughput) })

describe("preferred_max_latency", () => {
  it("compares seconds with measured milliseconds", () => {
    assert.deepStrictEqual(misses({ preferred_max_latency: 2 }, timed(2_000)), [])
    assert.deepStrictEqual(misses({ preferred_max_latency: 2 }, timed(2_001)), [
      "preferred_max_latency of request: wanted p50 latency <= 2 s, found 2.001 s over 100 samples"
    ])
    assert.deepStrictEqual(misses({ preferred_max_latency: 0.25 }, timed(251)), [
      "preferred_max_latency of request: wanted p50 latency <= 0.25 s, found 0.251 s over 100 samples"
    ])
    assert.lengthOf(misses({ preferred_max_latency: 0 }, timed(1)), 1)
  })

  it("is met by an equal latency, however the float rounds", () => {
    const wrong: Array<string> = []
    for (let digits = 1; digits < 10_000; digits++) {
      for (const exponent of [-1, 0, 1]) {
        const took = timed(Number(`${digits}e${exponent}`))
        const equal = Number(`${digits}e${exponent - 3}`)
        const less = Number(`${digits - 1}e${exponent - 3}`)
        if (misses({ preferred_max_latency: equal }, took).length !== 0) wrong.push(`<= ${equal}`)
        if (misses({ preferred_max_latency: less }, took).length !== 1) wrong.push(`> ${less}`)
      }
    }
    assert.deepStrictEqual(wrong, [])
  })

  it("never shows the found value as equal to the wanted one", () => {
    // Four digits, the precision of measurements.
    assert.deepStrictEqual(misses({ preferred_max_latency: 1 }, timed(1_003)), [
      "preferred_max_latency of request: wanted p50 latency <= 1 s, found 1.003 s over 100 samples"
    ])
  })
})

describe("preferred_min_throughput", () => {
  it("is in tokens a second, and met by an equal throughput", () => {
    assert.deepStrictEqual(misses({ preferred_min_throughput: 50 }, wrote(50)), [])
    assert.deepStrictEqual(misses({ preferred_min_throughput: 50 }, wrote(49.98)), [
      "preferred_min_throughput of request: wanted p50 throughput >= 50 tokens/s, found 49.98 tokens/s over 100 samples"
    ])
  })
})

describe("cut-offs", () => {
  const spread = makeReport({
    samples: 20,
    latency: { p50: 100, p75: 200, p90: 300, p99: 400 },
    throughputSamples: 30,
    throughput: { p50: 80, p75: 60, p90: 40, p99: 20 }
  })

  it("must all hold, each at its own percentile", () => {
    assert.deepStrictEqual(
      misses({ preferred_max_latency: { p50: 0.1, p75: 0.2, p90: 0.3, p99: 0.4 } }, spread),
      []
    )
    assert.deepStrictEqual(
      misses({ preferred_min_throughput: { p50: 80, p75: 60, p90: 40, p99: 20 } }, spread),
      []
    )
    for (const name of ["p50", "p75", "p90", "p99"] as const) {
      const found = { p50: 0.1, p75: 0.2, p90: 0.3, p99: 0.4 }[name]
      const cutoffs = { p50: 9, p75: 9, p90: 9, p99: 9, [name]: found - 0.01 }
      assert.deepStrictEqual(misses({ preferred_max_latency: cutoffs }, spread), [
        `preferred_max_latency of request: wanted ${name} latency <= ${found - 0.01} s, found ${found} s over 20 samples`
      ])
      const reached = { p50: 80, p75: 60, p90: 40, p99: 20 }[name]
      const least = { p50: 0, p75: 0, p90: 0, p99: 0, [name]: reached + 1 }
      assert.deepStrictEqual(misses({ preferred_min_throughput: least }, spread), [
        `preferred_min_throughput of request: wanted ${name} throughput >= ${reached + 1} tokens/s, found ${reached} tokens/s over 30 samples`
      ])
    }
  })

  it("are each named when missed, those of latency first", () => {
    const missed = misses(
      {
        preferred_min_throughput: { p99: 21, p50: 81 },
        preferred_max_latency: { p99: 0.3, p50: 0.09, p75: null }
      },
      spread
    )
    assert.deepStrictEqual(
      missed.map((each) => /wanted (p\d+ \w+)/.exec(each)?.[1]),
      ["p50 latency", "p99 latency", "p50 throughput", "p99 throughput"]
    )
  })

  it("are not missed with too few samples; each metric counts its own", () => {
    const strict = { preferred_max_latency: 0.001, preferred_min_throughput: 1e9 }
    assert.deepStrictEqual(misses(strict, undefined), [])
    assert.deepStrictEqual(misses(strict, makeReport()), [])
    assert.lengthOf(misses(strict, timed(100, 9)), 0)
    assert.lengthOf(misses(strict, timed(100, 10)), 1)
    assert.lengthOf(misses(strict, wrote(100, 9)), 0)
    assert.lengthOf(misses(strict, wrote(100, 10)), 1)
    // Samples of one metric do not count for the other.
    assert.lengthOf(misses(strict, { ...timed(100, 1), ...wrote(100), samples: 9 }), 1)
  })

  it("are absent by default", () => {
    assert.deepStrictEqual(parseThresholds({}), [])
    assert.deepStrictEqual(
      parseThresholds({ preferred_max_latency: null, preferred_min_throughput: { p50: null } }),
      []
    )
    assert.lengthOf(parseThresholds({ preferred_min_throughput: 0 }), 1)
  })
})
