import { assert, describe, it } from "vitest"
import type { EndpointReport } from "../../../../src/engine/health/HealthSnapshot.ts"
import type { Preferences } from "../../../../src/routing/Preferences.ts"
import { computePenalty } from "../../../../src/routing/plan/ranking/computePenalty.ts"
import { parseThresholds } from "../../../../src/routing/plan/ranking/thresholds.ts"
import { makeCandidate, makePricedCandidate } from "../../makeCandidate.ts"
import { ab, ac, makePlan, toSentence, toTags, summarizePlan } from "../makePlan.ts"
import { downReport, makeMeasuredReport, makeReport, makeSnapshot } from "../../makeReport.ts"

const one = makePricedCandidate("one", 1)

interface PenaltyInput {
  readonly preferences?: Preferences
  readonly byCondition?: boolean
  /** A fixed draw. */
  readonly drawn?: number
}

const standing = (
  report: EndpointReport | undefined,
  { byCondition = true, drawn = 0, preferences = {} }: PenaltyInput = {}
) => {
  const { level, reasons } = computePenalty(one, {
    health: makeSnapshot(report === undefined ? {} : { one: report }),
    minSamples: 10,
    thresholds: parseThresholds(preferences),
    byCondition,
    random: () => drawn,
    signedBy: undefined
  })
  return [level, ...reasons.map(toSentence)]
}
const levelOf = (...args: Parameters<typeof standing>) => standing(...args)[0]

const up = (m5: number, rest: Partial<EndpointReport> = {}) =>
  makeReport({ uptime: { m5 }, ...rest })
const ramping = (share: number, rest: Partial<EndpointReport> = {}) =>
  makeReport({ breaker: { state: "ramping", since: 0, share }, ...rest })
const slow = { samples: 100, latency: { p50: 900, p75: 900, p90: 900, p99: 900 } }
const fast = { preferences: { preferred_max_latency: 0.5 } }

describe("computePenalty", () => {
  it("is 0 for healthy and for untried candidates", () => {
    for (const each of [
      undefined,
      makeReport(),
      up(100),
      makeMeasuredReport({ latency: 100, throughput: 9 })
    ]) {
      assert.deepStrictEqual(standing(each), [0])
      assert.deepStrictEqual(standing(each, fast), [0])
    }
  })

  it("grows as the uptime falls: at least 95 % is normal, at least 80 % degraded, less is down", () => {
    for (const normal of [100, 95]) assert.deepStrictEqual(standing(up(normal)), [0])
    assert.deepStrictEqual(standing(up(94.5)), [
      2,
      "uptime of health: wanted an uptime of at least 95 %, found 94.5 %"
    ])
    assert.strictEqual(levelOf(up(80)), 2)
    assert.deepStrictEqual(standing(up((57 / 100) * 100)), [
      4,
      "uptime of health: wanted an uptime of at least 95 %, found 57 %"
    ])
    assert.strictEqual(levelOf(up(79.99)), 4)
    assert.strictEqual(levelOf(up(0)), 4)
  })

  it("never shows a low uptime as a normal one", () => {
    assert.deepStrictEqual(standing(up((18_999 / 19_999) * 100)), [
      2,
      "uptime of health: wanted an uptime of at least 95 %, found 94.99 %"
    ])
  })

  it("uses the uptime of the shortest measured window", () => {
    assert.strictEqual(levelOf(makeReport({ uptime: { m5: 99, m30: 10, d1: 10 } })), 0)
    assert.strictEqual(levelOf(makeReport({ uptime: { m30: 90, d1: 10 } })), 2)
    assert.strictEqual(levelOf(makeReport({ uptime: { d1: 10 } })), 4)
  })

  it("is highest in an outage, for any uptime", () => {
    assert.deepStrictEqual(standing(downReport), [
      4,
      "outage of health: wanted less than half of the recent attempts failing, found 3 of 4 failed"
    ])
    assert.strictEqual(levelOf({ ...downReport, uptime: { m5: 99 } }), 4)
    assert.deepStrictEqual(
      standing({ ...downReport, uptime: { m5: 90 } }).map((each) => String(each).split(" ")[0]),
      ["4", "outage", "uptime"]
    )
  })

  it("applies to the requests above the share of a ramp", () => {
    assert.deepStrictEqual(standing(ramping(0.25), { drawn: 0.2499 }), [0])
    assert.deepStrictEqual(standing(ramping(0.25), { drawn: 0.25 }), [
      2,
      "ramp of health: wanted a share of the requests while it recovers, found 25 % get through"
    ])
    assert.strictEqual(levelOf(ramping(1), { drawn: 0.9999 }), 0)
    assert.strictEqual(levelOf(ramping(0), { drawn: 0 }), 2)
    assert.include(standing(ramping(0.9999), { drawn: 0.99999 })[1], "found 99.99 % get through")
  })

  it("ranks an outage or a low uptime above a missed preference", () => {
    const levels = [
      makeReport(),
      makeReport(slow),
      up(90),
      up(90, slow),
      downReport,
      { ...downReport, ...slow }
    ].map((each) => levelOf(each, fast))
    assert.deepStrictEqual(levels, [0, 1, 2, 3, 4, 5])
    assert.strictEqual(levelOf(ramping(0, slow), fast), 3)
    assert.strictEqual(levelOf(ramping(0, { uptime: { m5: 10 } })), 4)
  })

  it("lists all reasons: condition, ramp, then missed preferences", () => {
    const all = ramping(0.5, { ...slow, uptime: { m5: 90 }, outage: { failures: 1, of: 1 } })
    assert.deepStrictEqual(standing(all, { ...fast, drawn: 0.9 }), [
      5,
      "outage of health: wanted less than half of the recent attempts failing, found 1 of 1 failed",
      "uptime of health: wanted an uptime of at least 95 %, found 90 %",
      "ramp of health: wanted a share of the requests while it recovers, found 50 % get through",
      "preferred_max_latency of request: wanted p50 latency <= 0.5 s, found 0.9 s over 100 samples"
    ])
  })

  it("ignores the condition when the request sets the order, but not the ramp and the preferences", () => {
    const asked = { ...fast, byCondition: false, drawn: 0.9 }
    assert.deepStrictEqual(standing({ ...downReport, uptime: { m5: 1 } }, asked), [0])
    const all = ramping(0.5, { ...slow, uptime: { m5: 1 }, outage: { failures: 1, of: 1 } })
    assert.deepStrictEqual(
      standing(all, asked).map((each) => String(each).split(" ")[0]),
      ["3", "ramp", "preferred_max_latency"]
    )
  })

  it("draws a random number only for ramping candidates", () => {
    let draws = 0
    for (const each of [makeReport(), downReport, ramping(0.5), up(10), ramping(0.9)]) {
      computePenalty(one, {
        health: makeSnapshot({ one: each }),
        minSamples: 10,
        thresholds: [],
        byCondition: true,
        random: () => ++draws,
        signedBy: undefined
      })
    }
    assert.strictEqual(draws, 2)
  })
})

describe("the penalty in a plan", () => {
  const three = [one, makePricedCandidate("two", 2), makePricedCandidate("three", 3)]
  const health = makeSnapshot({
    one: { ...downReport, ...slow },
    two: makeReport(slow),
    three: up(90)
  })

  it("outweighs the price, and rejects no candidate", () => {
    assert.deepStrictEqual(toTags(makePlan(three, {}, { health }).ordered), ["two", "three", "one"])
    assert.deepStrictEqual(toTags(makePlan(three, fast.preferences, { health }).ordered), [
      "two",
      "three",
      "one"
    ])
    const bothMiss = makeSnapshot({
      one: makeReport(slow),
      two: downReport,
      three: makeReport(slow)
    })
    assert.deepStrictEqual(
      toTags(makePlan(three, fast.preferences, { health: bothMiss }).ordered),
      ["one", "three", "two"]
    )
  })

  it("yields to an order and a sort, except for missed preferences and ramps", () => {
    for (const preferences of [{ order: ["one", "two"] }, { sort: "price" }] as const) {
      assert.deepStrictEqual(summarizePlan(makePlan(three, preferences, { health })).ordered, [
        "one",
        "two",
        "three"
      ])
      assert.deepStrictEqual(summarizePlan(makePlan(three, preferences, { health })).demoted, {})
      const missing = { ...preferences, ...fast.preferences }
      assert.deepStrictEqual(toTags(makePlan(three, missing, { health }).ordered), [
        "three",
        "one",
        "two"
      ])
      const recovering = { health: makeSnapshot({ one: ramping(0) }) }
      assert.deepStrictEqual(toTags(makePlan(three, preferences, recovering).ordered), [
        "two",
        "three",
        "one"
      ])
    }
    for (const variant of ["floor", "nitro"] as const) {
      const models = [{ id: ab, variant }] as const
      assert.deepStrictEqual(summarizePlan(makePlan(three, {}, { health, models })).demoted, {})
    }
  })

  it("gives a ramping endpoint its share of the requests", () => {
    for (const share of [0.1, 0.4, 0.9]) {
      const recovering = { health: makeSnapshot({ one: ramping(share) }) }
      let first = 0
      for (let seed = 0; seed < 10_000; seed++) {
        const { ordered } = makePlan(three, { sort: "price" }, { ...recovering, seed })
        if (ordered[0] === one) first++
      }
      // Six deviations. The seeds are fixed, so the result is always the same.
      assert.closeTo(first / 10_000, share, 6 * Math.sqrt((share * (1 - share)) / 10_000))
    }
  })

  it("applies within a model, or across models when the request has cut-offs", () => {
    const both = [...three, makeCandidate({ provider: "four", of: "a/c" })]
    const models = [{ id: ab }, { id: ac }] as const
    const bad = {
      health: makeSnapshot({ one: downReport, two: downReport, three: downReport }),
      models
    }
    assert.deepStrictEqual(toTags(makePlan(both, {}, bad).ordered), ["one", "two", "three", "four"])
    assert.deepStrictEqual(toTags(makePlan(both, fast.preferences, bad).ordered), [
      "four",
      "one",
      "two",
      "three"
    ])
  })
})
