import { assert, describe, it } from "vitest"
import type { BreakerReport } from "../../../src/engine/health/HealthSnapshot.ts"
import { filterByBreaker } from "../../../src/routing/plan/filterByBreaker.ts"
import { makeCandidate, makePricedCandidate } from "../makeCandidate.ts"
import { ab, ac, makePlan, toSentence, toTags, summarizePlan } from "./makePlan.ts"
import { makeReport, makeSnapshot } from "../makeReport.ts"

/** The time of every snapshot in this file. */
const now = Date.UTC(2026, 10, 21, 12, 0, 0)
const candidates = [
  makePricedCandidate("one", 1),
  makePricedCandidate("two", 2),
  makePricedCandidate("three", 3)
]

const open = (probeIn: number): BreakerReport => ({
  state: "open",
  since: now - 20_000,
  cause: "12 of 20 failed in 60 s",
  nextProbeAt: now + probeIn
})
const backingOff = (endsIn: number): BreakerReport => ({
  state: "backing_off",
  since: now - 1_000,
  cause: "rate limited 3 times in a row",
  until: now + endsIn
})

const health = (breakers: Readonly<Record<string, BreakerReport>>) =>
  makeSnapshot(
    Object.fromEntries(
      Object.entries(breakers).map(([tag, breaker]) => [tag, makeReport({ breaker })])
    ),
    now
  )

const admitted = (
  breakers: Readonly<Record<string, BreakerReport>>,
  asked: ReadonlyArray<ReturnType<typeof makePricedCandidate>> = candidates
) => {
  const { allowed, blocked, lastResort } = filterByBreaker(asked, health(breakers))
  return {
    admitted: toTags(allowed),
    blocked: Object.fromEntries(
      blocked.map(({ candidate, reasons }) => [candidate.endpoint.tag, reasons.map(toSentence)])
    ),
    lastResort: lastResort?.endpoint.tag
  }
}

/** The remaining candidates when all three are blocked. */
const first = (one: BreakerReport, two: BreakerReport, three: BreakerReport) => {
  const { admitted: left, blocked, lastResort } = admitted({ one, two, three })
  assert.deepStrictEqual<ReadonlyArray<unknown>>(left, [lastResort])
  assert.sameMembers([...Object.keys(blocked), ...left], ["one", "two", "three"])
  return lastResort
}

describe("filterByBreaker", () => {
  it("allows candidates that are unknown, closed or ramping", () => {
    assert.deepStrictEqual(
      admitted({ one: { state: "closed" }, two: { state: "ramping", since: now, share: 0 } }),
      { admitted: ["one", "two", "three"], blocked: {}, lastResort: undefined }
    )
    assert.deepStrictEqual(admitted({}, []), { admitted: [], blocked: {}, lastResort: undefined })
  })

  it("blocks an open breaker and a running backoff, with the reason and the end", () => {
    assert.deepStrictEqual(admitted({ one: open(5_000), two: backingOff(250) }), {
      admitted: ["three"],
      blocked: {
        one: [
          "breaker of health: wanted a closed breaker, found 12 of 20 failed in 60 s; open for 20 s, next probe in 5 s"
        ],
        two: [
          "rate_limited of health: wanted no rate limit of the provider, found rate limited 3 times in a row; for another 0.3 s"
        ]
      },
      lastResort: undefined
    })
  })

  it("allows a due probe, and a backoff that has ended", () => {
    for (const late of [0, 1, 1_000_000]) {
      assert.deepStrictEqual(admitted({ one: open(-late), two: backingOff(-late) }), {
        admitted: ["one", "two", "three"],
        blocked: {},
        lastResort: undefined
      })
    }
    assert.deepStrictEqual(admitted({ one: open(1), two: backingOff(1) }).admitted, ["three"])
  })

  it("never blocks the only candidate", () => {
    for (const breaker of [open(60_000), backingOff(60_000)]) {
      assert.deepStrictEqual(admitted({ two: breaker }, [candidates[1]!]), {
        admitted: ["two"],
        blocked: {},
        lastResort: "two"
      })
    }
  })

  it("allows the candidate whose wait ends first when all are blocked", () => {
    assert.strictEqual(first(open(3), open(2), open(1)), "three")
    assert.strictEqual(first(open(3), backingOff(2), open(4)), "two")
    assert.strictEqual(first(backingOff(3), open(2), backingOff(1)), "three")
    assert.strictEqual(first(open(2), backingOff(2), open(2)), "one")
  })

  it("has no last resort while a probe is due", () => {
    assert.deepStrictEqual(
      admitted({ one: backingOff(1), two: open(0), three: open(1) }).admitted,
      ["two"]
    )
    assert.isUndefined(admitted({ one: backingOff(1), two: open(0), three: open(1) }).lastResort)
  })

  it("considers only eligible candidates, across all models", () => {
    const blocked = { health: health({ one: open(9_000), two: open(1_000) }) }
    // The healthy candidate is not eligible, so the only eligible one is not blocked.
    assert.deepStrictEqual(summarizePlan(makePlan(candidates, { only: ["one"] }, blocked)), {
      strategy: "cheapest",
      ordered: ["one"],
      demoted: {},
      rejected: {
        two: ["only of request: wanted one of one, found two"],
        three: ["only of request: wanted one of one, found three"]
      },
      lastResort: "one"
    })
    assert.strictEqual(
      summarizePlan(makePlan(candidates, {}, { ...blocked, pin: "a/b@one" })).lastResort,
      "one"
    )
    // Another model still has a candidate.
    const other = makeCandidate({ provider: "four", of: "a/c" })
    const over = makePlan(
      [...candidates.slice(0, 2), other],
      {},
      {
        ...blocked,
        models: [{ id: ab }, { id: ac }]
      }
    )
    assert.deepStrictEqual(toTags(over.ordered), ["four"])
    assert.isUndefined(over.lastResort)
  })

  it("outweighs an order, and leaves the best of the rest when fallbacks are off", () => {
    const blocked = { health: health({ one: open(9_000) }) }
    assert.deepStrictEqual(toTags(makePlan(candidates, { order: ["one"] }, blocked).ordered), [
      "two",
      "three"
    ])
    const { ordered, rejected } = summarizePlan(
      makePlan(candidates, { allow_fallbacks: false }, blocked)
    )
    assert.deepStrictEqual(ordered, ["two"])
    assert.include(rejected["one"]?.[0], "breaker of health")
    assert.include(rejected["three"]?.[0], "allow_fallbacks of request")
    // Listed, blocked, and the only allowed candidate.
    const only = summarizePlan(
      makePlan(candidates, { order: ["one"], allow_fallbacks: false }, blocked)
    )
    assert.strictEqual(only.lastResort, "one")
  })

  it("accepts an invalid time in a replayed snapshot", () => {
    const breaker: BreakerReport = { state: "open", cause: "", since: -1e300, nextProbeAt: 1e300 }
    const { blocked } = admitted({ one: breaker, two: backingOff(1e300) })
    assert.deepStrictEqual(Object.keys(blocked), ["one", "two"])
  })
})
