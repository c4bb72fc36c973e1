import { assert, describe, it } from "vitest"
import * as Breaker from "../../src/health/Breaker.ts"
import type { Outcome } from "../../src/health/Outcome.ts"
import { defaults } from "../../src/Settings.ts"

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

const after = (breaker: Breaker.Breaker, ...outcomes: ReadonlyArray<Outcome>) =>
  outcomes.reduce((breaker, outcome) => Breaker.record(breaker, outcome, defaults), breaker)
const repeat = (times: number, outcome: Outcome) => Array.from({ length: times }, () => outcome)
const report = (breaker: Breaker.Breaker, now: number) => Breaker.reportOf(breaker, now, defaults)
const claimed = (breaker: Breaker.Breaker, now: number): Breaker.Breaker => {
  const claimed = Breaker.claim(breaker, now, defaults)
  assert(claimed !== undefined, "nothing is let through")
  return claimed
}
const refuses = (breaker: Breaker.Breaker, now: number) =>
  Breaker.claim(breaker, now, defaults) === undefined

const open = after(Breaker.closed, ...repeat(10, outcome(start, "failure")))
const ramping = after(claimed(open, start + interval), outcome(start + interval, "success"))
const rampStart = start + interval

describe("a closed breaker", () => {
  it("lets everything through", () => {
    assert.strictEqual(claimed(Breaker.closed, start), Breaker.closed)
    assert.deepStrictEqual(report(Breaker.closed, start), { state: "closed" })
  })

  it("is not opened by one glitch, nor by failures alone while there are few", () => {
    const nine = after(Breaker.closed, ...repeat(9, outcome(start, "failure")))
    assert.deepStrictEqual(report(nine, start), { state: "closed" })
    assert.deepStrictEqual(report(after(nine, outcome(start, "success")), start), {
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
    const breaker = after(
      Breaker.closed,
      ...repeat(successes, outcome(start, "success")),
      ...repeat(failures, outcome(start, "failure"))
    )
    assert.strictEqual(report(breaker, start).state, state)
  })

  it("counts answers of the wrong shape, but no rate limits and nothing ignored", () => {
    const invalid = after(Breaker.closed, ...repeat(10, outcome(start, "invalid_answer")))
    assert.strictEqual(invalid.state, "open")
    const others = [outcome(start, "rate_limited"), outcome(start, "ignored")]
    assert.strictEqual(after(Breaker.closed, ...others), Breaker.closed)
  })

  it("forgets failures that are older than the window", () => {
    const nine = after(Breaker.closed, ...repeat(9, outcome(start, "failure")))
    const late = start + defaults.breakerWindowMillis + 1_000
    assert.strictEqual(after(nine, outcome(late, "failure")).state, "closed")
    assert.strictEqual(after(nine, outcome(late - 1_001, "failure")).state, "open")
  })

  it("says why it opened and when it lets one through", () => {
    assert.deepStrictEqual(report(open, start + 5), {
      state: "open",
      since: start,
      cause: "10 of 10 failed in 60 s",
      nextProbeAt: start + interval
    })
  })
})

describe("an open breaker", () => {
  it("lets one through per interval, the first after one interval", () => {
    assert.isTrue(refuses(open, start))
    assert.isTrue(refuses(open, start + interval - 1))
    const first = claimed(open, start + interval)
    assert.isTrue(refuses(first, start + interval))
    assert.isTrue(refuses(first, start + 2 * interval - 1))
    assert.isTrue(refuses(claimed(first, start + 2 * interval), start + 2 * interval))
  })

  it("does not hear of attempts that nobody claimed, nor of those from before the claim", () => {
    assert.strictEqual(after(open, outcome(start + 5, "success")), open)
    assert.strictEqual(after(open, outcome(start + 5, "failure")), open)
    const probing = claimed(open, start + interval)
    const stale = outcome(start + interval + 5, "success", start + interval - 1)
    assert.strictEqual(after(probing, stale), probing)
    assert.strictEqual(after(probing, { ...stale, result: "failure" }), probing)
  })

  it("stays open after a failed probe, and tries again an interval later", () => {
    const failedAt = start + interval + 4_000
    const failed = after(
      claimed(open, start + interval),
      outcome(failedAt, "failure", start + interval)
    )
    assert.deepStrictEqual(report(failed, failedAt), {
      state: "open",
      since: start,
      cause: "10 of 10 failed in 60 s",
      nextProbeAt: failedAt + interval
    })
    assert.isTrue(refuses(failed, failedAt + interval - 1))
    claimed(failed, failedAt + interval)
    // The probe has come back: what else ends is not one.
    assert.strictEqual(after(failed, outcome(failedAt + 1, "success")), failed)
  })

  it.each(["ignored", "rate_limited", undefined] as const)(
    "is not locked by a probe that comes to %s",
    (result) => {
      const probing = claimed(open, start + interval)
      const next = result === undefined ? probing : after(probing, outcome(rampStart, result))
      assert.isTrue(refuses(next, start + 2 * interval - 1))
      const again = claimed(next, start + 2 * interval)
      assert.strictEqual(after(again, outcome(start + 2 * interval, "success")).state, "ramping")
    }
  )

  it("takes a slow probe's word also when the next one is already under way", () => {
    const two = claimed(claimed(open, start + interval), start + 2 * interval)
    const slow = outcome(start + 2 * interval + 1, "success", start + interval)
    assert.strictEqual(after(two, slow).state, "ramping")
  })
})

describe("a ramping breaker", () => {
  it("lets everything through, and its share grows from a tenth to all", () => {
    claimed(ramping, rampStart)
    const share = (later: number) => {
      const told = report(ramping, rampStart + later)
      assert(told.state === "ramping")
      assert.strictEqual(told.since, rampStart)
      return told.share
    }
    assert.strictEqual(share(0), 0.1)
    assert.closeTo(share(ramp / 2), 0.55, 1e-12)
    assert.closeTo(share(ramp - 1), 1, 1e-4)
    assert.deepStrictEqual(report(ramping, rampStart + ramp), { state: "closed" })
  })

  it("opens again by what was started since, from a third of the samples", () => {
    const three = after(ramping, ...repeat(3, outcome(rampStart + 10, "failure")))
    assert.strictEqual(three.state, "ramping")
    assert.deepStrictEqual(
      report(after(three, outcome(rampStart + 20, "failure")), rampStart + 20),
      {
        state: "open",
        since: rampStart + 20,
        cause: "4 of 4 failed while ramping",
        nextProbeAt: rampStart + 20 + interval
      }
    )
    const mixed = after(
      ramping,
      ...repeat(4, outcome(rampStart + 10, "success")),
      ...repeat(3, outcome(rampStart + 10, "failure"))
    )
    assert.strictEqual(mixed.state, "ramping")
    assert.strictEqual(after(mixed, outcome(rampStart + 11, "failure")).state, "open")
  })

  it("does not hear of timeouts of attempts from before", () => {
    const stale = outcome(rampStart + 10, "failure", rampStart - 1)
    assert.strictEqual(after(ramping, ...repeat(20, stale)), ramping)
  })

  it("closes with the failures before it opened forgotten", () => {
    const nine = repeat(9, outcome(rampStart + ramp, "failure"))
    const closed = after(ramping, ...nine)
    assert.strictEqual(closed.state, "closed")
    assert.strictEqual(after(closed, outcome(rampStart + ramp, "failure")).state, "open")
  })
})

describe("a clock set back by a day", () => {
  const day = 86_400_000
  const yesterday = start - day

  it("does not keep an open breaker from probing", () => {
    const probing = claimed(open, yesterday)
    assert.isTrue(refuses(probing, yesterday))
    assert.strictEqual(
      after(probing, outcome(yesterday + 5, "success", yesterday)).state,
      "ramping"
    )
  })

  it("does not make a ramp last", () => {
    assert.deepStrictEqual(report(ramping, yesterday), { state: "closed" })
  })

  it("does not keep a breaker from opening", () => {
    const closed = after(ramping, outcome(rampStart + ramp, "success"))
    assert.strictEqual(after(closed, ...repeat(10, outcome(yesterday, "failure"))).state, "open")
  })

  it("by less does not let more than one through", () => {
    assert.isTrue(refuses(open, start - interval))
    assert.isTrue(refuses(claimed(open, start + interval), start + interval - 1_000))
  })
})
