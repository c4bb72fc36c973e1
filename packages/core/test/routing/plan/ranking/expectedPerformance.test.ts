import { assert, describe, it } from "vitest"
import type { EndpointReport } from "../../../../src/engine/health/HealthSnapshot.ts"
import type { Candidate } from "../../../../src/routing/Candidate.ts"
import {
  makePerformanceEstimator,
  latencyMetric,
  type Metric,
  throughputMetric,
  validAnswerShare
} from "../../../../src/routing/plan/ranking/expectedPerformance.ts"
import { makeCandidate, makePricedCandidate } from "../../makeCandidate.ts"
import { ab, ac, makePlan, toTags } from "../makePlan.ts"
import { makeFlatPercentiles, makeReport, makeSnapshot } from "../../makeReport.ts"

const minSamples = 10

/** The median latency in milliseconds, over this many samples. */
const took = (millis: number, samples = 100) =>
  makeReport({ samples, latency: makeFlatPercentiles(millis) })

const expected = (
  reports: Readonly<Record<string, EndpointReport>>,
  candidates: ReadonlyArray<Candidate>,
  metric: Metric = latencyMetric
) => {
  const of = makePerformanceEstimator(candidates, makeSnapshot(reports), metric, minSamples)
  return candidates.map((each) => of(each))
}

const four = ["one", "two", "three", "four"].map((tag) => makePricedCandidate(tag, 1))

describe("the expected performance of a candidate", () => {
  it("is its own measurement when it has enough samples", () => {
    assert.deepStrictEqual(
      expected({ one: took(100), two: took(900, 10), three: took(500, 1_000) }, four.slice(0, 3)),
      [100, 900, 500]
    )
  })

  it("is the median of its peers when it was never tried, or never measured", () => {
    const peers = { one: took(100), two: took(300), three: took(900) }
    assert.deepStrictEqual(expected(peers, four), [100, 300, 900, 300])
    assert.deepStrictEqual(expected({ ...peers, four: makeReport({ samples: 0 }) }, four)[3], 300)
    // The mean of the two in the middle, because the number is even.
    assert.deepStrictEqual(expected({ one: took(100), two: took(300) }, four), [100, 300, 200, 200])
  })

  it("shifts from its peers' to its own measurement with each sample", () => {
    const peers = { one: took(100), two: took(100) }
    assert.deepStrictEqual(
      [0, 1, 5, 9, 10, 11].map(
        (samples) => expected({ ...peers, three: took(600, samples) }, four.slice(0, 3))[2]
      ),
      [100, 150, 350, 550, 600, 600]
    )
  })

  it("does not count for peers while it has too few samples", () => {
    assert.deepStrictEqual(
      expected({ one: took(100), two: took(9_000, 9), three: took(9_000, 9) }, four)[3],
      100
    )
  })

  it("is its own measurement, however few samples it has, when no peer has enough", () => {
    assert.deepStrictEqual(expected({ one: took(700, 1), two: took(300, 9) }, four), [
      700,
      300,
      undefined,
      undefined
    ])
    assert.deepStrictEqual(expected({}, four), [undefined, undefined, undefined, undefined])
  })

  it("uses only endpoints of the same model", () => {
    const other = makeCandidate({ provider: "five", of: "a/c" })
    const unmeasured = makeCandidate({ provider: "six", of: "a/c" })
    assert.deepStrictEqual(
      expected({ one: took(100), "a/c@five": took(900) }, [...four.slice(0, 2), other, unmeasured]),
      [100, 100, 900, 900]
    )
  })

  it("counts each metric's own samples", () => {
    const reports = {
      one: makeReport({
        samples: 100,
        throughputSamples: 100,
        throughput: makeFlatPercentiles(50)
      }),
      two: makeReport({ samples: 100, throughputSamples: 5, throughput: makeFlatPercentiles(100) })
    }
    assert.deepStrictEqual(expected(reports, four.slice(0, 2), throughputMetric), [50, 75])
    const answers = {
      one: makeReport({ answers: { valid: 3, invalid: 1 } }),
      two: makeReport({ answers: { valid: 60, invalid: 20 } }),
      three: makeReport({ samples: 100, answers: { valid: 0, invalid: 0 } })
    }
    assert.deepStrictEqual(
      expected(answers, four.slice(0, 3), validAnswerShare),
      [0.75, 0.75, 0.75]
    )
    const spoiled = { ...answers, one: makeReport({ answers: { valid: 0, invalid: 5 } }) }
    assert.deepStrictEqual(expected(spoiled, four.slice(0, 1), validAnswerShare), [0])
    assert.deepStrictEqual(expected(spoiled, four.slice(0, 2), validAnswerShare), [0.375, 0.75])
  })

  it("is a number, for any numbers in a replayed snapshot", () => {
    const reports = { one: took(Number.MAX_VALUE, -1e300), two: took(Number.MAX_VALUE) }
    assert.deepStrictEqual(expected(reports, four.slice(0, 2)), [
      Number.MAX_VALUE,
      Number.MAX_VALUE
    ])
  })

  it("needs no sample where none is needed", () => {
    const of = makePerformanceEstimator(
      four,
      makeSnapshot({ one: took(100, 0), two: took(300, 0) }),
      latencyMetric,
      0
    )
    assert.deepStrictEqual(four.map(of), [100, 300, 200, 200])
  })
})

describe("a sort by expected performance", () => {
  it("puts unmeasured candidates last, by price", () => {
    const asked = [
      makePricedCandidate("dear", 3),
      makePricedCandidate("cheap", 1),
      makePricedCandidate("slow", 2)
    ]
    const ordered = (sort: "latency" | "throughput" | "exacto", slow: EndpointReport) =>
      toTags(makePlan(asked, { sort }, { health: makeSnapshot({ slow }) }).ordered)
    // A few own samples count if no peer has enough, and say nothing about the peers.
    const few = {
      ...took(9_000, 1),
      throughputSamples: 1,
      throughput: makeFlatPercentiles(1),
      answers: { valid: 0, invalid: 1 }
    }
    for (const sort of ["latency", "throughput", "exacto"] as const) {
      assert.deepStrictEqual(ordered(sort, few), ["slow", "cheap", "dear"])
      // With enough samples its peers are expected to be like it, so the price decides.
      const many = { ...took(9_000), throughputSamples: 99, throughput: makeFlatPercentiles(1) }
      const enough = { ...many, answers: { valid: 1, invalid: 99 } }
      assert.deepStrictEqual(ordered(sort, enough), ["cheap", "slow", "dear"])
    }
  })

  it("compares the models of one list, each candidate with its own peers", () => {
    const asked = [
      makePricedCandidate("measured", 1),
      makePricedCandidate("new", 2),
      makeCandidate({ provider: "other", of: "a/c" }),
      makeCandidate({ provider: "unknown", of: "a/c" })
    ]
    const health = makeSnapshot({ measured: took(500), "a/c@other": took(100) })
    const models = [{ id: ab }, { id: ac }] as const
    const order = (partition: "model" | "none") =>
      toTags(makePlan(asked, { sort: { by: "latency", partition } }, { health, models }).ordered)
    assert.deepStrictEqual(order("none"), ["other", "unknown", "measured", "new"])
    assert.deepStrictEqual(order("model"), ["measured", "new", "other", "unknown"])
  })
})
