import { assert, describe, it } from "vitest"
import * as Breaker from "../../../src/engine/health/Breaker.ts"
import type { Outcome } from "../../../src/engine/health/Outcome.ts"
import { defaults } from "../../../src/instance/Settings.ts"

const interval = defaults.breakerProbeIntervalMillis
const ramp = defaults.breakerRampMillis
const start = 1_700_000_000_000

const outcome = (at: number, result: Outcome["result"], startedAt = at): Outcome => ({
  endpoint: "a/b@one",
  startedAt,
  at,
  latencyMillis: at - startedAt,
  result
})

const recordAll = (breaker: Breaker.Breaker, ...outcomes: ReadonlyArray<Outcome>) =>
  outcomes.reduce((breaker, outcome) => Breaker.record(breaker, outcome, defaults), breaker)
const repeat = (times: number, outcome: Outcome) => Array.from({ length: times }, () => outcome)
const report = (breaker: Breaker.Breaker, now: number) => Breaker.toReport(breaker, now, defaults)
const claimProbe = (breaker: Breaker.Breaker, now: number): Breaker.Breaker => {
  const claimed = Breaker.claim(breaker, now, defaults)
  assert(claimed !== undefined, "nothing is let through")
  return claimed
}
const isClaimRefused = (breaker: Breaker.Breaker, now: number) =>
  Breaker.claim(breaker, now, defaults) === undefined

const open = recordAll(Breaker.closedBreaker, ...repeat(10, outcome(start, "failure")))
const ramping = recordAll(claimProbe(open, start + interval), outcome(start + interval, "success"))
const rampStart = start + interval

describe("a closed breaker", () => {
  it("admits every request", () => {
    assert.strictEqual(claimProbe(Breaker.closedBreaker, start), Breaker.closedBreaker)
    assert.deepStrictEqual(report(Breaker.closedBreaker, start), { state: "closed" })
  })

  it("is not opened by one failure, nor by a few without successes", () => {
    const nine = recordAll(Breaker.closedBreaker, ...repeat(9, outcome(start, "failure")))
    assert.deepStrictEqual(report(nine, start), { state: "closed" })
    assert.deepStrictEqual(report(recordAll(nine, outcome(start, "success")), start), {
      state: "closed"
    })
  })

  it.each([
    [5, 5, "open"],
    [6, 5, "closed"],
    [0, 10, "open"],
    [50, 50, "open"],
    [51, 50, "closed"]
  ] as const)("after %d successes and then %d failures is %s", (successes, failures, state) => {
    const breaker = recordAll(
      Breaker.closedBreaker,
      ...repeat(successes, outcome(start, "success")),
      ...repeat(failures, outcome(start, "failure"))
    )
    assert.strictEqual(report(breaker, start).state, state)
  })

  it("counts invalid answers, but neither rate limits nor ignored outcomes", () => {
    const invalid = recordAll(
      Breaker.closedBreaker,
      ...repeat(10, outcome(start, "invalid_answer"))
    )
    assert.strictEqual(invalid.state, "open")
    const others = [outcome(start, "rate_limited"), outcome(start, "ignored")]
    assert.strictEqual(recordAll(Breaker.closedBreaker, ...others), Breaker.closedBreaker)
  })

  it("forgets failures that are older than the window", () => {
    const nine = recordAll(Breaker.closedBreaker, ...repeat(9, outcome(start, "failure")))
    const late = start + defaults.breakerWindowMillis + 1_000
    assert.strictEqual(recordAll(nine, outcome(late, "failure")).state, "closed")
    assert.strictEqual(recordAll(nine, outcome(late - 1_001, "failure")).state, "open")
  })

  it("reports why it opened and when it admits the next probe", () => {
    assert.deepStrictEqual(report(open, start + 5), {
      state: "open",
      since: start,
      cause: "10 of 10 failed in 60 s",
      nextProbeAt: start + interval
    })
  })
})

describe("an open breaker", () => {
  it("admits one probe per interval, the first after one interval", () => {
    assert.isTrue(isClaimRefused(open, start))
    assert.isTrue(isClaimRefused(open, start + interval - 1))
    const first = claimProbe(open, start + interval)
    assert.isTrue(isClaimRefused(first, start + interval))
    assert.isTrue(isClaimRefused(first, start + 2 * interval - 1))
    assert.isTrue(isClaimRefused(claimProbe(first, start + 2 * interval), start + 2 * interval))
  })

  it("ignores attempts without a claim, and those that started before the claim", () => {
    assert.strictEqual(recordAll(open, outcome(start + 5, "success")), open)
    assert.strictEqual(recordAll(open, outcome(start + 5, "failure")), open)
    const probing = claimProbe(open, start + interval)
    const stale = outcome(start + interval + 5, "success", start + interval - 1)
    assert.strictEqual(recordAll(probing, stale), probing)
    assert.strictEqual(recordAll(probing, { ...stale, result: "failure" }), probing)
  })

  it("stays open after a failed probe, and probes again an interval later", () => {
    const failedAt = start + interval + 4_000
    const failed = recordAll(
      claimProbe(open, start + interval),
      outcome(failedAt, "failure", start + interval)
    )
    assert.deepStrictEqual(report(failed, failedAt), {
      state: "open",
      since: start,
      cause: "10 of 10 failed in 60 s",
      nextProbeAt: failedAt + interval
    })
    assert.isTrue(isClaimRefused(failed, failedAt + interval - 1))
    claimProbe(failed, failedAt + interval)
    // The probe has ended, so later outcomes do not belong to a probe.
    assert.strictEqual(recordAll(failed, outcome(failedAt + 1, "success")), failed)
  })

  it.each(["ignored", "rate_limited", undefined] as const)(
    "is not blocked by a probe with the outcome %s",
    (result) => {
      const probing = claimProbe(open, start + interval)
      const next = result === undefined ? probing : recordAll(probing, outcome(rampStart, result))
      assert.isTrue(isClaimRefused(next, start + 2 * interval - 1))
      const again = claimProbe(next, start + 2 * interval)
      assert.strictEqual(
        recordAll(again, outcome(start + 2 * interval, "success")).state,
        "ramping"
      )
    }
  )

  it("accepts the outcome of a slow probe after the next one has started", () => {
    const two = claimProbe(claimProbe(open, start + interval), start + 2 * interval)
    const slow = outcome(start + 2 * interval + 1, "success", start + interval)
    assert.strictEqual(recordAll(two, slow).state, "ramping")
  })
})

describe("a ramping breaker", () => {
  it("admits every request, and its share grows from a tenth to all", () => {
    claimProbe(ramping, rampStart)
    const share = (later: number) => {
      const current = report(ramping, rampStart + later)
      assert(current.state === "ramping")
      assert.strictEqual(current.since, rampStart)
      return current.share
    }
    assert.strictEqual(share(0), 0.1)
    assert.closeTo(share(ramp / 2), 0.55, 1e-12)
    assert.closeTo(share(ramp - 1), 1, 1e-4)
    assert.deepStrictEqual(report(ramping, rampStart + ramp), { state: "closed" })
  })

  it("opens again by attempts that started since, from a third of the samples", () => {
    const three = recordAll(ramping, ...repeat(3, outcome(rampStart + 10, "failure")))
    assert.strictEqual(three.state, "ramping")
    assert.deepStrictEqual(
      report(recordAll(three, outcome(rampStart + 20, "failure")), rampStart + 20),
      {
        state: "open",
        since: rampStart + 20,
        cause: "4 of 4 failed while ramping",
        nextProbeAt: rampStart + 20 + interval
      }
    )
    const mixed = recordAll(
      ramping,
      ...repeat(4, outcome(rampStart + 10, "success")),
      ...repeat(3, outcome(rampStart + 10, "failure"))
    )
    assert.strictEqual(mixed.state, "ramping")
    assert.strictEqual(recordAll(mixed, outcome(rampStart + 11, "failure")).state, "open")
  })

  it("ignores timeouts of attempts that started before the ramp", () => {
    const stale = outcome(rampStart + 10, "failure", rampStart - 1)
    assert.strictEqual(recordAll(ramping, ...repeat(20, stale)), ramping)
  })

  it("closes without the failures from before it opened", () => {
    const nine = repeat(9, outcome(rampStart + ramp, "failure"))
    const closed = recordAll(ramping, ...nine)
    assert.strictEqual(closed.state, "closed")
    assert.strictEqual(recordAll(closed, outcome(rampStart + ramp, "failure")).state, "open")
  })
})
