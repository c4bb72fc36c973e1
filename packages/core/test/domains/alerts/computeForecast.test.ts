import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { computeForecast, type PeriodSpend } from "../../../src/domains/alerts/computeForecast.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"

const usd = (amount: number) => NanoUsd.fromUsdNumber(amount)
const day = 86_400_000
const november = Date.UTC(2026, 10, 1)
const month = { beganAt: november, endsAt: november + 30 * day }

const spends = fc
  .record({
    settled: fc.bigInt(0n, NanoUsd.maxAmount),
    cap: fc.bigInt(0n, NanoUsd.maxAmount),
    beganAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    length: fc.integer({ min: 1_000, max: 366 * day }),
    share: fc.double({ min: 0, max: 1, noNaN: true })
  })
  .map(({ beganAt, cap, length, settled, share }): PeriodSpend => ({
    settled: NanoUsd.make(settled),
    cap: NanoUsd.make(cap),
    beganAt,
    endsAt: beganAt + length,
    now: beganAt + Math.floor(share * length)
  }))

const isEarly = ({ beganAt, endsAt, now }: PeriodSpend): boolean =>
  (now - beganAt) * 10 < endsAt - beganAt

describe("computeForecast", () => {
  it("goes on at the rate of the period so far", () => {
    const spend = { ...month, settled: usd(5), cap: usd(11), now: november + 10 * day }
    assert.deepStrictEqual(computeForecast(spend), {
      total: usd(15),
      exhaustedAt: november + 22 * day
    })
    assert.deepStrictEqual(computeForecast({ ...spend, cap: usd(15) }), {
      total: usd(15),
      exhaustedAt: undefined
    })
  })

  it("says nothing in the first tenth, after the end, and without an end", () => {
    const spend = { ...month, settled: usd(5), cap: usd(10), now: november + 3 * day }
    assert.isDefined(computeForecast(spend))
    assert.isUndefined(computeForecast({ ...spend, now: spend.now - 1 }))
    assert.isUndefined(computeForecast({ ...spend, now: month.endsAt }))
    assert.isUndefined(computeForecast({ ...spend, now: november - 1 }))
    assert.isUndefined(computeForecast({ ...spend, beganAt: -Infinity, endsAt: Infinity }))
  })

  it("is at least what is spent, and exceeds a cap exactly if that is spent before the end", () => {
    fc.assert(
      fc.property(spends, (spend) => {
        const forecast = computeForecast(spend)
        if (forecast === undefined) {
          assert.isTrue(isEarly(spend) || spend.now >= spend.endsAt)
          return
        }
        const { exhaustedAt, total } = forecast
        const { cap, endsAt, now, settled } = spend
        assert.isTrue(total >= settled && total <= NanoUsd.maxAmount)
        if (settled >= cap) assert.isUndefined(exhaustedAt)
        else assert.strictEqual(exhaustedAt !== undefined, total > cap)
        if (exhaustedAt !== undefined) assert.isTrue(exhaustedAt >= now && exhaustedAt <= endsAt)
      })
    )
  })

  it("grows with spending, and falls while nothing is spent", () => {
    fc.assert(
      fc.property(
        spends,
        fc.bigInt(0n, 10n ** 12n),
        fc.integer({ min: 0, max: day }),
        (spend, more, later) => {
          const forecast = computeForecast(spend)
          const richer = computeForecast({
            ...spend,
            settled: NanoUsd.sum(spend.settled, NanoUsd.make(more))
          })
          const after = computeForecast({ ...spend, now: spend.now + later })
          if (forecast === undefined) return
          assert.isTrue(richer !== undefined && richer.total >= forecast.total)
          if (after !== undefined) assert.isTrue(after.total <= forecast.total)
        }
      )
    )
  })
})
