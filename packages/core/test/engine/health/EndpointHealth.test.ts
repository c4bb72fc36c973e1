import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import * as EndpointHealth from "../../../src/engine/health/EndpointHealth.ts"
import type { Outcome } from "../../../src/engine/health/Outcome.ts"
import { defaults } from "../../../src/instance/Settings.ts"

const window = defaults.outageWindowMillis

const outcome = (at: number, result: Outcome["result"]): Outcome => ({
  endpoint: "e",
  startedAt: at - 100,
  at,
  latencyMillis: 100,
  result
})

const recordAll = (outcomes: ReadonlyArray<Outcome>) =>
  outcomes.reduce(
    (health, outcome) => EndpointHealth.recordOutcome(health, outcome, defaults),
    EndpointHealth.empty
  )

const getOutage = (health: EndpointHealth.EndpointHealth, now: number) =>
  EndpointHealth.toReport(health, now, defaults).outage

const many = (successes: number, failures: number) =>
  recordAll([
    ...Array.from({ length: successes }, () => outcome(1_000, "success")),
    ...Array.from({ length: failures }, () => outcome(1_000, "failure"))
  ])

describe("an outage", () => {
  it.each([
    [0, 0, false],
    [1, 0, false],
    [0, 1, true],
    [1, 1, true],
    [2, 1, false],
    [3, 2, false],
    [2, 2, true],
    [99, 100, true],
    [101, 100, false]
  ])("after %d successes and %d failures is %s", (successes, failures, outage) => {
    assert.deepStrictEqual(
      getOutage(many(successes, failures), 1_000),
      outage ? { failures, of: successes + failures } : undefined
    )
  })

  it("is forgotten once the whole second of its failure is older than the window", () => {
    const health = recordAll([outcome(5_400, "failure")])
    assert.isDefined(getOutage(health, 5_400))
    assert.isDefined(getOutage(health, 35_999))
    assert.isUndefined(getOutage(health, 36_000))
  })

  it("counts later outcomes together with earlier ones while both are in the window", () => {
    const health = recordAll([
      outcome(1_000, "failure"),
      outcome(20_000, "success"),
      outcome(20_500, "failure"),
      outcome(20_600, "success"),
      outcome(20_700, "success")
    ])
    assert.isUndefined(getOutage(health, 20_700))
    const later = recordAll([
      outcome(1_000, "success"),
      outcome(1_000, "success"),
      outcome(20_500, "failure"),
      outcome(20_600, "success")
    ])
    assert.isUndefined(getOutage(later, 20_600))
    assert.deepStrictEqual(getOutage(later, 40_000), { failures: 1, of: 2 })
  })

  const history = fc
    .array(fc.tuple(fc.nat(5_000), fc.constantFrom("success", "failure")), {
      maxLength: 200,
      size: "max"
    })
    .map((steps) => {
      let now = 1_700_000_000_000
      return steps.map(([pause, result]) => outcome((now += pause), result))
    })

  it("equals a count over all outcomes, with a bounded number of buckets", () => {
    fc.assert(
      fc.property(history, (outcomes) => {
        const health = recordAll(outcomes)
        assert.isAtMost(health.seconds.older.length, window / 1_000)
        const now = outcomes.at(-1)?.at ?? 0
        // A bucket covers a second, and counts until all of it is older than the window.
        const inside = outcomes.filter(
          ({ at }) => (Math.floor(at / 1_000) + 1) * 1_000 > now - window
        )
        const failures = inside.filter(({ result }) => result === "failure").length
        assert.deepStrictEqual(
          getOutage(health, now),
          failures > 0 && failures * 2 >= inside.length
            ? { failures, of: inside.length }
            : undefined
        )
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})

const minute = 60_000
const day = 1_440 * minute
const start = 1_700_000_100_000
const measured = (health: EndpointHealth.EndpointHealth, now: number) =>
  EndpointHealth.toEndpointStats(health, now, defaults)

const isNear = (actual: number | undefined, exact: number) =>
  assert.closeTo((actual ?? 0) / exact, 1, 0.075)
const slot = (at: number) => Math.floor(at / 30_000)
const times = (count: number, one: Outcome) => Array.from({ length: count }, () => one)

describe("the measurements", () => {
  it("are empty for an endpoint that was never tried", () => {
    assert.deepStrictEqual(EndpointHealth.toReport(EndpointHealth.empty, start, defaults), {
      samples: 0,
      throughputSamples: 0,
      answers: { valid: 0, invalid: 0 },
      errors: {},
      rateLimited: 0,
      uptime: {},
      breaker: { state: "closed" }
    })
  })

  it("have the latency and the throughput of successes", () => {
    const health = recordAll(
      Array.from({ length: 100 }, (_, index) => ({
        ...outcome(start, "success"),
        latencyMillis: (index + 1) * 10,
        outputTokens: 50
      }))
    )
    const { latency, samples, throughput, throughputSamples } = measured(health, start)
    assert.strictEqual(samples, 100)
    assert.strictEqual(throughputSamples, 100)
    isNear(latency?.p50, 500)
    isNear(latency?.p75, 750)
    isNear(latency?.p90, 900)
    isNear(latency?.p99, 990)
    // 90 % of the requests take 900 ms or less, and so reach 50 tokens in 900 ms.
    isNear(throughput?.p50, 100)
    isNear(throughput?.p75, 50 / 0.75)
    isNear(throughput?.p90, 50 / 0.9)
    isNear(throughput?.p99, 50 / 0.99)
  })

  it("have the share of the prompt tokens that came from caches, in each window", () => {
    const read = (at: number, inputTokens: number, cachedTokens?: number): Outcome => ({
      ...outcome(at, "success"),
      prompt: { inputTokens, ...(cachedTokens === undefined ? undefined : { cachedTokens }) }
    })
    const health = recordAll([
      read(start - 10 * minute, 1_000, 1_000),
      read(start, 900, 600),
      read(start, 100),
      outcome(start, "success"),
      { ...read(start, 5_000, 5_000), result: "failure" }
    ])
    assert.strictEqual(measured(health, start).cachedShare, 0.6)
    const { d1, m30 } = EndpointHealth.toLongWindowStats(health, start)
    assert.deepStrictEqual([m30.cachedShare, d1.cachedShare], [0.8, 0.8])
    const unused = recordAll([outcome(start, "success")])
    assert.notProperty(measured(unused, start), "cachedShare")
  })

  it("count no failures as fast, and no answers without output as slow", () => {
    const health = recordAll([
      { ...outcome(start, "failure"), latencyMillis: 1, outputTokens: 10 },
      { ...outcome(start, "rate_limited"), latencyMillis: 1 },
      { ...outcome(start, "success"), latencyMillis: 400 },
      { ...outcome(start, "success"), latencyMillis: 400, outputTokens: 0 }
    ])
    const { latency, samples, throughput, throughputSamples } = measured(health, start)
    assert.strictEqual(samples, 2)
    assert.closeTo(latency?.p50 ?? 0, 400, 30)
    assert.strictEqual(throughputSamples, 0)
    assert.isUndefined(throughput)
  })

  it("count invalid answers, failures by kind and rate limits separately", () => {
    const health = recordAll([
      outcome(start, "success"),
      outcome(start, "success"),
      { ...outcome(start, "invalid_answer"), kind: "invalid_answer" },
      { ...outcome(start, "failure"), kind: "timeout" },
      outcome(start, "failure"),
      outcome(start, "rate_limited"),
      outcome(start, "ignored"),
      { ...outcome(start + minute, "failure"), kind: "timeout" }
    ])
    const { answers, errors, rateLimited } = measured(health, start + minute)
    assert.deepStrictEqual(answers, { valid: 2, invalid: 1 })
    assert.deepStrictEqual(errors, { invalid_answer: 1, timeout: 2, failure: 1 })
    assert.strictEqual(rateLimited, 1)
  })

  it("have a bounded number of kinds, with any names", () => {
    const kinds = ["__proto__", "constructor", ...Array.from({ length: 500 }, (_, i) => `k${i}`)]
    const health = recordAll(
      kinds.map((kind, index) => ({ ...outcome(start + index * 200, "failure"), kind }))
    )
    const { errors } = measured(health, start + kinds.length * 200)
    assert.isAtMost(Object.keys(errors).length, 33)
    assert.isTrue(Object.hasOwn(errors, "__proto__"))
    assert.strictEqual(Object.getPrototypeOf(errors), Object.prototype)
    assert.strictEqual(
      Object.values(errors).reduce((sum, count) => sum + count, 0),
      kinds.length
    )
  })

  it("cover the last five minutes, to the half minute", () => {
    const health = recordAll([
      { ...outcome(start, "success"), latencyMillis: 100 },
      { ...outcome(start + 4 * minute, "success"), latencyMillis: 9_000 }
    ])
    assert.strictEqual(measured(health, start + 5 * minute).samples, 2)
    const later = measured(health, start + 5 * minute + 30_000)
    assert.strictEqual(later.samples, 1)
    assert.closeTo(later.latency?.p50 ?? 0, 9_000, 700)
    assert.isUndefined(measured(health, start + 10 * minute).latency)
  })

  it("equal percentiles over all successes of the window", () => {
    const history = fc.array(
      fc.tuple(
        fc.nat(40_000),
        fc.integer({ min: 1, max: 60_000 }),
        fc.constantFrom("success", "failure")
      ),
      { maxLength: 100, size: "max" }
    )
    fc.assert(
      fc.property(history, (steps) => {
        let now = start
        const outcomes = steps.map(([pause, latencyMillis, result]) => ({
          ...outcome((now += pause), result),
          latencyMillis
        }))
        const latencies = outcomes
          .filter(({ at, result }) => result === "success" && slot(at) >= slot(now) - 10)
          .map(({ latencyMillis }) => latencyMillis)
          .toSorted((a, b) => a - b)
        const { latency, samples } = measured(recordAll(outcomes), now)
        assert.strictEqual(samples, latencies.length)
        if (latency === undefined) return assert.strictEqual(samples, 0)
        for (const [measured, share] of [
          [latency.p50, 0.5],
          [latency.p75, 0.75],
          [latency.p90, 0.9],
          [latency.p99, 0.99]
        ] as const) {
          const exact = latencies[Math.ceil(share * latencies.length) - 1]!
          assert.closeTo(measured / exact, 1, 0.075)
        }
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})

describe("uptime", () => {
  it("is reported from a hundred attempts on, without rate limits and ignored outcomes", () => {
    const outcomes = [
      ...times(94, outcome(start, "success")),
      ...times(4, outcome(start, "failure")),
      outcome(start, "invalid_answer"),
      ...times(50, outcome(start, "rate_limited")),
      ...times(50, outcome(start, "ignored"))
    ]
    assert.deepStrictEqual(measured(recordAll(outcomes), start).uptime, {})
    const enough = recordAll([...outcomes, outcome(start, "success")])
    assert.deepStrictEqual(measured(enough, start).uptime, { m5: 95, m30: 95, d1: 95 })
  })

  it("covers five minutes, thirty minutes and a day", () => {
    const health = recordAll([
      ...times(100, outcome(start, "failure")),
      ...times(100, outcome(start + 60 * minute, "success")),
      ...times(200, outcome(start + 75 * minute, "failure"))
    ])
    assert.deepStrictEqual(measured(health, start + 75 * minute).uptime, {
      m5: 0,
      m30: (100 / 300) * 100,
      d1: 25
    })
    assert.deepStrictEqual(measured(health, start + day).uptime, { d1: 25 })
    assert.deepStrictEqual(measured(health, start + day + 31 * minute).uptime, {
      d1: (100 / 300) * 100
    })
    assert.deepStrictEqual(measured(health, start + 2 * day + 106 * minute).uptime, {})
  })
})

describe("fold", () => {
  it("does not change its input", () => {
    const before = recordAll([outcome(1_000, "failure"), outcome(1_000, "success")])
    const copy = structuredClone(before)
    for (const result of ["success", "failure", "invalid_answer", "rate_limited"] as const) {
      EndpointHealth.recordOutcome(before, { ...outcome(1_500, result), outputTokens: 5 }, defaults)
      EndpointHealth.recordOutcome(before, outcome(1_000_000, result), defaults)
      EndpointHealth.recordOutcome(before, outcome(-1_000_000, result), defaults)
    }
    EndpointHealth.claim(before, 1_500, defaults)
    EndpointHealth.toReport(before, 1_500, defaults)
    assert.deepStrictEqual(before, copy)
  })

  it("changes nothing for ignored outcomes", () => {
    const before = recordAll([outcome(1_000, "failure")])
    assert.strictEqual(
      EndpointHealth.recordOutcome(before, outcome(1_500, "ignored"), defaults),
      before
    )
  })

  it("keeps the state small, however long it runs", () => {
    let health = EndpointHealth.empty
    for (let at = start; at < start + 3 * 1_440 * minute; at += 7_000) {
      health = EndpointHealth.recordOutcome(health, outcome(at, "success"), defaults)
    }
    assert.isAtMost(health.seconds.older.length, 30)
    assert.isAtMost(health.halfMinutes.older.length, 60)
    assert.isAtMost(health.halfHours.older.length, 48)
    assert.isAtMost(JSON.stringify(health).length, 40_000)
  })
})

describe("the longer windows", () => {
  it("keep all measurements for half an hour and for a day", () => {
    const at = 20 * day
    const health = recordAll([
      { ...outcome(at, "success"), latencyMillis: 2_000, outputTokens: 100 },
      { ...outcome(at, "invalid_answer"), kind: "invalid_answer" },
      { ...outcome(at, "failure"), kind: "timeout" },
      outcome(at, "rate_limited")
    ])
    const windowsAt = (now: number) => {
      const { d1, m30 } = EndpointHealth.toLongWindowStats(health, now)
      return [EndpointHealth.toReport(health, now, defaults), m30, d1].map(
        ({ answers, errors, latency, rateLimited, samples, throughput }) => [
          samples,
          Math.round((latency?.p50 ?? 0) / 500) * 500,
          Math.round((throughput?.p90 ?? 0) / 10) * 10,
          answers.invalid,
          Object.entries(errors).flat().join(" "),
          rateLimited
        ]
      )
    }
    const all = [1, 2_000, 50, 1, "invalid_answer 1 timeout 1", 1]
    const nothing = [0, 0, 0, 0, "", 0]
    assert.deepStrictEqual(windowsAt(at), [all, all, all])
    assert.deepStrictEqual(windowsAt(at + 6 * minute), [nothing, all, all])
    assert.deepStrictEqual(windowsAt(at + 31 * minute), [nothing, nothing, all])
    assert.deepStrictEqual(windowsAt(at + day + 31 * minute), [nothing, nothing, nothing])
  })
})

describe("a report", () => {
  const failures = times(10, outcome(start, "failure"))

  it("is plain JSON", () => {
    const report = EndpointHealth.toReport(
      recordAll([...failures, outcome(start, "success")]),
      start,
      defaults
    )
    assert.deepStrictEqual(JSON.parse(JSON.stringify(report)), report)
  })

  it("of an open breaker includes a backoff in the time of its next probe", () => {
    const health = recordAll([
      ...failures,
      { ...outcome(start, "rate_limited"), retryAfterMillis: 40_000 }
    ])
    const { breaker } = EndpointHealth.toReport(health, start, defaults)
    assert(breaker.state === "open")
    assert.strictEqual(breaker.nextProbeAt, start + 40_000)
    assert.isUndefined(EndpointHealth.claim(health, start + 39_999, defaults))
    assert.isDefined(EndpointHealth.claim(health, start + 40_000, defaults))
  })
})
