import { assert, describe, it } from "vitest"
import * as Backoff from "../../../src/engine/health/Backoff.ts"
import type { Outcome } from "../../../src/engine/health/Outcome.ts"
import { defaults } from "../../../src/instance/Settings.ts"

const start = 1_700_000_000_000

const outcome = (at: number, result: Outcome["result"], more: Partial<Outcome> = {}): Outcome => ({
  endpoint: "a/b@one",
  startedAt: at,
  at,
  latencyMillis: 0,
  result,
  ...more
})

const recordAll = (...outcomes: ReadonlyArray<Outcome>) =>
  outcomes.reduce<Backoff.Backoff | undefined>(
    (backoff, outcome) => Backoff.record(backoff, outcome, defaults),
    undefined
  )

/** The start of the backoff and its length in milliseconds. */
const getInterval = (backoff: Backoff.Backoff | undefined): readonly [number, number] => {
  assert(backoff !== undefined, "there is no back-off")
  const { since, until } = backoff
  assert.isTrue(Backoff.isActive(backoff, since))
  assert.isTrue(Backoff.isActive(backoff, until - 1))
  assert.isFalse(Backoff.isActive(backoff, until))
  return [since, until - since]
}

describe("Backoff", () => {
  it("backs off for a second after the first 429", () => {
    const backoff = recordAll(outcome(start, "rate_limited"))
    assert.deepStrictEqual(getInterval(backoff), [start, 1_000])
    assert.strictEqual(backoff?.cause, "rate limited")
  })

  it("doubles with each further 429, up to a minute, and starts again after a success", () => {
    let backoff: Backoff.Backoff | undefined
    let at = start
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      backoff = Backoff.record(backoff, outcome(at, "rate_limited"), defaults)
      assert.deepStrictEqual(getInterval(backoff), [at, seconds * 1_000])
      at = backoff!.until
    }
    assert.strictEqual(backoff?.cause, "rate limited 8 times in a row")
    assert.isUndefined(Backoff.record(backoff, outcome(at, "success"), defaults))
  })

  it("does not double for a thousand 429s of one burst", () => {
    const burst = Array.from({ length: 1_000 }, (_, index) =>
      outcome(start + index, "rate_limited", { startedAt: start - 500 + index / 10 })
    )
    assert.deepStrictEqual(getInterval(recordAll(...burst)), [start, 1_000])
  })

  it("respects a longer Retry-After, up to a limit", () => {
    const asked = (retryAfterMillis: number) =>
      recordAll(outcome(start, "rate_limited", { retryAfterMillis }))
    assert.deepStrictEqual(getInterval(asked(30_000)), [start, 30_000])
    assert.strictEqual(asked(30_000)?.cause, "rate limited, asked to wait 30 s")
    assert.deepStrictEqual(getInterval(asked(1_500)), [start, 1_500])
    for (const millis of [0, 500, -1, Number.NaN])
      assert.deepStrictEqual(getInterval(asked(millis)), [start, 1_000])
    for (const millis of [300_001, 1e12, Infinity])
      assert.deepStrictEqual(getInterval(asked(millis)), [start, 300_000])
  })

  it("is extended, never shortened, by later responses of a burst", () => {
    const limited = (at: number, retryAfterMillis: number) =>
      outcome(at, "rate_limited", { startedAt: start - 1, retryAfterMillis })
    assert.deepStrictEqual(
      getInterval(recordAll(limited(start, 5_000), limited(start + 10, 2_000))),
      [start, 5_000]
    )
    assert.deepStrictEqual(
      getInterval(recordAll(limited(start, 5_000), limited(start + 10, 6_000))),
      [start, 6_010]
    )
    // Also by an attempt made during the backoff.
    const repeated = recordAll(limited(start, 60_000), outcome(start + 10, "rate_limited"))
    assert.deepStrictEqual(getInterval(repeated), [start + 10, 59_990])
    assert.strictEqual(repeated?.repeats, 2)
  })

  it("respects the Retry-After of a failure, and starts for no other failure", () => {
    const asked = recordAll(outcome(start, "failure", { retryAfterMillis: 20_000 }))
    assert.deepStrictEqual(getInterval(asked), [start, 20_000])
    assert.strictEqual(asked?.cause, "failed, asked to wait 20 s")
    assert.isUndefined(recordAll(outcome(start, "failure")))
    assert.isUndefined(recordAll(outcome(start, "invalid_answer")))
    assert.isUndefined(recordAll(outcome(start, "ignored", { retryAfterMillis: 20_000 })))
    const limited = recordAll(outcome(start, "rate_limited"))
    assert.strictEqual(Backoff.record(limited, outcome(start + 5, "failure"), defaults), limited)
  })

  it("is not ended by a success that started before it", () => {
    const limited = outcome(start, "rate_limited")
    const success = outcome(start + 5, "success", { startedAt: start - 1 })
    assert.deepStrictEqual(getInterval(recordAll(limited, success)), [start, 1_000])
    assert.isUndefined(recordAll(limited, outcome(start + 5, "success")))
  })
})
