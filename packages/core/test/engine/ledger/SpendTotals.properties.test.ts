import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { getCalendar } from "../../../src/engine/ledger/Calendar.ts"
import type { Interval } from "../../../src/engine/ledger/Interval.ts"
import * as SpendTotals from "../../../src/engine/ledger/SpendTotals.ts"
import { defaults } from "../../../src/instance/Settings.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"

const day = 86_400_000
const calendar = getCalendar(defaults)
const intervals: ReadonlyArray<Interval> = ["lifetime", "daily", "weekly", "monthly"]

/** The latest two windows with spending, by their beginning. */
const addToWindows = (
  windows: ReadonlyMap<number, bigint>,
  cost: bigint,
  began: number
): ReadonlyMap<number, bigint> => {
  const known = [...windows.keys()]
  const at = known.length < 2 ? began : Math.max(began, Math.min(...known))
  const all = new Map(windows).set(at, (windows.get(at) ?? 0n) + cost)
  return new Map([...all].toSorted(([one], [other]) => other - one).slice(0, 2))
}

const costs = fc.array(fc.record({ cost: fc.bigInt(1n, 1_000n), day: fc.nat(100) }), {
  maxLength: 30
})

describe("SpendTotals", () => {
  it("keep the latest two windows of each interval, for any jump of the clock", () => {
    fc.assert(
      fc.property(costs, fc.nat(110), (recorded, today) => {
        let totals = SpendTotals.empty
        const now = today * day
        for (const { cost, day: at } of recorded) {
          totals = SpendTotals.addCost(calendar, totals, NanoUsd.make(cost), at * day)
        }
        for (const interval of intervals) {
          let windows: ReadonlyMap<number, bigint> = new Map()
          for (const { cost, day: at } of recorded) {
            windows = addToWindows(windows, cost, calendar.toWindow(interval, at * day).beganAt)
          }
          const current = calendar.toWindow(interval, now).beganAt
          const expected = [...windows]
            .filter(([began]) => began >= current)
            .reduce((sum, [, spent]) => sum + spent, 0n)
          assert.strictEqual(SpendTotals.toSpent(calendar, totals, interval, now), expected)
        }
      })
    )
  })

  it("stop at the maximum amount", () => {
    const totals = [1, 2, 3].reduce(
      (sum) => SpendTotals.addCost(calendar, sum, NanoUsd.maxAmount, 0),
      SpendTotals.empty
    )
    for (const interval of intervals) {
      assert.strictEqual(SpendTotals.toSpent(calendar, totals, interval, 0), NanoUsd.maxAmount)
    }
  })
})
