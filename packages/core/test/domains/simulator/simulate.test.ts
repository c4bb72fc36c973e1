import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import {
  type Strategy,
  leastLatency,
  priceWeighted
} from "../../../src/routing/plan/strategies/strategies.ts"
import type { RecordedRequest } from "../../../src/domains/simulator/recording/RecordedRequest.ts"
import { simulate, type SimulateOptions } from "../../../src/domains/simulator/simulate.ts"
import { toSimulationJson } from "../../../src/domains/simulator/report/toSimulationJson.ts"
import { compareSimulations } from "../../../src/domains/simulator/compareSimulations.ts"
import { summarizeRecording } from "../../../src/domains/simulator/summarizeRecording.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"
import { alternating, model, recorded } from "./traffic.ts"

const alwaysAt = (tag: string): Strategy => ({
  name: `always-${tag}`,
  first: ({ contenders }) =>
    contenders.find(({ candidate }) => candidate.endpoint.tag === tag) ?? contenders[0]!
})

const replay = (recording: ReadonlyArray<RecordedRequest>, strategy: Strategy, seed = 1) =>
  simulate({ recording, models: [model], strategy, seed })

const isStalled = (index: number): boolean => index >= 50 && index % 20 === 0

const simulateStalls = (hedging: SimulateOptions["hedging"]) =>
  simulate({
    recording: alternating(200),
    models: [model],
    strategy: alwaysAt("cheap"),
    ...(hedging === undefined ? undefined : { hedging }),
    answer: ({ endpoint, index }) => {
      const firstMillis = endpoint === "a/b@cheap" && isStalled(index) ? 9_000 : 100
      return { status: 200, firstMillis, wholeMillis: firstMillis + 100 }
    }
  })

describe("simulate", () => {
  it("sends every request where the strategy says, at the prices there", () => {
    const report = replay(alternating(100), alwaysAt("fast"))
    assert.deepInclude(report, {
      name: "always-fast",
      requests: 100,
      failures: 0,
      p50: 100,
      p95: 100,
      p99: 100,
      attempts: 100,
      shares: { "a/b@fast": 1 },
      // 1,000 tokens at 2e-6 and 100 at 4e-6 USD.
      cost: NanoUsd.make(100n * 2_400_000n)
    })
    assert.deepInclude(replay(alternating(100), alwaysAt("cheap")), {
      p50: 300,
      cost: NanoUsd.make(100n * 1_200_000n)
    })
  })

  it("starts a second attempt beside a late one, as the instance does", () => {
    const [plain, off, hedged] = [undefined, false, {}].map((each) => simulateStalls(each))
    assert.deepStrictEqual(off, plain)
    assert.deepInclude(plain, { name: "always-cheap", attempts: 200, hedges: 0, p99: 9_000 })
    assert.deepInclude(hedged, {
      name: "always-cheap, hedged",
      attempts: 207,
      hedges: 7,
      hedgeWins: 7,
      failures: 0,
      // 193 answers at the cheap endpoint, 7 prompts that lost there, and 7 answers at the fast one.
      cost: NanoUsd.make(193n * 1_200_000n + 7n * 1_000_000n + 7n * 2_400_000n)
    })
    assert.isBelow(hedged?.p99 ?? Infinity, 300)
  })

  it("falls back after a failure, and its time counts", () => {
    const failing = alternating(100).map((request, second) =>
      second % 2 === 0
        ? recorded({ at: request.at, endpoint: "cheap", status: 500, first: 40 })
        : request
    )
    // Too few failures to open the breaker.
    const report = simulate({
      recording: failing,
      models: [model],
      strategy: alwaysAt("cheap"),
      settings: { breakerMinSamples: 1_000, breakerFailureRatio: 1 }
    })
    assert.strictEqual(report.failures, 0)
    assert.strictEqual(report.p50, 100)
    const [first] = report.quantiles.toReversed()
    assert.strictEqual(first?.millis, 140)
  })

  it("opens the breaker of an endpoint that keeps failing, and probes it", () => {
    const down = Array.from({ length: 600 }, (_, second) =>
      second % 2 === 0
        ? recorded({ at: 1_000 * second, endpoint: "cheap", status: 500, first: 40 })
        : recorded({ at: 1_000 * second, endpoint: "fast" })
    )
    const report = replay(down, alwaysAt("cheap"))
    assert.strictEqual(report.failures, 0)
    const share = report.shares["a/b@cheap"] ?? 0
    assert.isAbove(share, 0)
    assert.isBelow(share, 0.2)
  })

  it("counts a stream that breaks off as a failure, and asks no other endpoint", () => {
    const broken = alternating(40).map((request, second) =>
      second % 2 === 0
        ? {
            ...request,
            attempts: request.attempts.map((attempt) => ({ ...attempt, status: 0 }))
          }
        : request
    )
    const report = simulate({
      recording: broken,
      models: [model],
      strategy: alwaysAt("cheap"),
      settings: { breakerMinSamples: 1_000 }
    })
    // Until failures count, every request goes to `cheap`; `fast` serves what comes after.
    assert.isAbove(report.failures, 0)
    assert.strictEqual(report.attempts, 40)
  })

  it("counts requests that nothing answers", () => {
    const report = replay(
      [0, 1, 2].map((second) => recorded({ at: 1_000 * second, status: 400 })),
      priceWeighted
    )
    assert.deepInclude(report, { requests: 3, failures: 3, cost: NanoUsd.zero })
    assert.notProperty(report, "p50")
  })

  it("cuts an attempt off at half of the time left, and asks the next endpoint", () => {
    const stalled = alternating(40).map((request, second) =>
      second % 2 === 0
        ? recorded({ at: request.at, endpoint: "cheap", first: 50_000, whole: 51_000 })
        : request
    )
    const report = replay(stalled, alwaysAt("cheap"))
    assert.strictEqual(report.failures, 0)
    assert.strictEqual(report.quantiles.at(-1)?.millis, 30_100)
  })

  it("draws answers near in time", () => {
    const slowLater = [
      ...Array.from({ length: 60 }, (_, second) => recorded({ at: 1_000 * second, first: 100 })),
      ...Array.from({ length: 60 }, (_, second) =>
        recorded({ at: 1_000 * (second + 600), first: 900 })
      )
    ]
    const report = replay(slowLater, priceWeighted)
    const byTime = report.overTime.filter(({ requests }) => requests > 0)
    assert.strictEqual(byTime[0]?.p95, 100)
    assert.strictEqual(byTime.at(-1)?.p95, 900)
  })

  it("says when it extrapolates: an endpoint gets a load that it never had", () => {
    // `fast` is asked once in ten seconds, for five seconds.
    const rare = Array.from({ length: 600 }, (_, second) =>
      second % 10 === 0
        ? recorded({ at: 1_000 * second, endpoint: "fast", first: 50, whole: 5_000 })
        : recorded({ at: 1_000 * second, endpoint: "cheap", first: 500 })
    )
    const herd = replay(rare, alwaysAt("fast"))
    assert.deepStrictEqual(herd.extrapolates, [
      { endpoint: "a/b@fast", reason: "load", recorded: 1, simulated: 5 }
    ])
    const stayed = replay(rare, alwaysAt("cheap"))
    assert.deepStrictEqual(stayed.extrapolates, [])
    const comparison = compareSimulations(summarizeRecording(rare), [herd, stayed])
    assert.deepStrictEqual(comparison.ranking, ["always-cheap"])
    assert.deepStrictEqual(comparison.unranked, ["always-fast"])
  })

  it("says when nothing is recorded of an endpoint at about the time", () => {
    const gone = Array.from({ length: 200 }, (_, second) =>
      recorded({ at: 1_000 * second, endpoint: second < 100 ? "fast" : "cheap" })
    )
    const { extrapolates } = replay(gone, alwaysAt("fast"))
    assert.includeDeepMembers(
      extrapolates.map(({ endpoint, reason }) => ({ endpoint, reason })),
      [{ endpoint: "a/b@fast", reason: "time" }]
    )
  })

  it("leaves out endpoints and models of which nothing is recorded, and says so", () => {
    const recording = [
      ...Array.from({ length: 30 }, (_, second) => recorded({ at: 1_000 * second })),
      { ...recorded({ at: 5 }), model: "c/d" }
    ]
    const report = replay(recording, alwaysAt("fast"))
    assert.deepInclude(report, { unrecorded: ["a/b@fast"], skipped: 1, requests: 30 })
    assert.throws(
      () => replay([{ ...recorded({ at: 5 }), model: "c/d" }], priceWeighted),
      RangeError,
      "nothing to replay: the recording has no attempt at an endpoint of a/b"
    )
  })

  it("does not take an attempt that was given up for an answer", () => {
    const recording = alternating(60).map((request, second) =>
      second % 6 === 0 ? recorded({ at: request.at, endpoint: "cheap", status: 499 }) : request
    )
    assert.strictEqual(replay(recording, alwaysAt("cheap")).failures, 0)
  })

  it("takes answers from elsewhere in place of the recording", () => {
    const report = simulate({
      recording: alternating(50),
      models: [model],
      strategy: alwaysAt("fast"),
      answer: ({ inFlight }) => ({
        status: 200,
        firstMillis: 10 + inFlight,
        wholeMillis: 2_500
      })
    })
    // A request a second, each for two and a half: three under way.
    assert.strictEqual(report.p99, 12)
    assert.deepStrictEqual(report.extrapolates, [])
  })

  it("refuses a seed or a window that is none", () => {
    const options = { recording: alternating(2), models: [model], strategy: priceWeighted }
    assert.throws(() => simulate({ ...options, seed: 0.5 }), "the seed must be an integer, got 0.5")
    assert.throws(() => simulate({ ...options, windowMillis: -1 }), /the window must be/)
  })
})

const arbitraryRequest = fc.record({
  at: fc.integer({ min: 0, max: 120_000 }),
  endpoint: fc.constantFrom("cheap", "fast"),
  status: fc.constantFrom(200, 200, 200, 429, 500, 503, 0),
  first: fc.integer({ min: 1, max: 40_000 }),
  whole: fc.integer({ min: 40_000, max: 60_000 })
})

it("replays the same to the last bit for the same seed, for any order of the given requests", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(arbitraryRequest, { minLength: 1, maxLength: 80, selector: ({ at }) => at }),
      fc.integer(),
      fc.constantFrom(priceWeighted, leastLatency()),
      (answers, seed, strategy) => {
        const recording = answers.map(recorded)
        const once = simulate({ recording, models: [model], strategy, seed })
        const again = simulate({
          recording: recording.toReversed(),
          models: [model],
          strategy,
          seed
        })
        assert.deepStrictEqual(again, once)
        assert.strictEqual(once.requests, recording.length)
        const shares = Object.values(once.shares).reduce((sum, share) => sum + share, 0)
        assert.approximately(shares, 1, 1e-9)
        const json = JSON.stringify(
          toSimulationJson(compareSimulations(summarizeRecording(recording), [once]))
        )
        assert.notInclude(json, "NaN")
      }
    ),
    { numRuns: scaleRuns(500) }
  )
})
