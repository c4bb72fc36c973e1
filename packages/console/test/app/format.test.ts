import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  formatExactMoney,
  formatMillis,
  formatMoney,
  formatShare,
  formatSpan
} from "../../app/format/format.ts"

const readDollars = (text: string): number => Number(text.replaceAll(/[$,]/g, ""))

describe("figures", () => {
  it.each([
    [null, "–"],
    [undefined, "–"],
    [0, "$0.00"],
    [0.000_000_001, "$0.000000001"],
    [0.000_044_25, "$0.0000443"],
    [0.004_9, "$0.0049"],
    [0.099_96, "$0.10"],
    [0.5, "$0.50"],
    [0.123_4, "$0.123"],
    [0.999_6, "$1.00"],
    [-0.000_044_25, "-$0.0000443"],
    [1.005, "$1.01"],
    [1_234.567, "$1,234.57"]
  ])("writes %s USD with the digits that matter as %s", (usd, text) => {
    expect(formatMoney(usd)).toBe(text)
  })

  it.each([
    [0, "$0.00"],
    [1.5, "$1.50"],
    [0.000_330_001, "$0.000330001"],
    [12.345, "$12.345"],
    [-1.5, "-$1.50"],
    [123_456_789.1, "$123,456,789.10"]
  ])("writes %s USD exactly as %s", (usd, text) => {
    expect(formatExactMoney(usd)).toBe(text)
  })

  /** What a ledger has: integers of billionths of a dollar. */
  const amount = fc
    .oneof(
      fc.integer({ min: 1, max: 999 }),
      fc.integer({ min: 1, max: 999_999_999 }),
      fc.integer({ min: 1, max: 1_000_000_000_000_000 })
    )
    .map((nano) => nano / 1e9)

  it("never writes an amount as nothing, and is wrong by half of the last digit at most", () => {
    fc.assert(
      fc.property(amount, (usd) => {
        const written = readDollars(formatMoney(usd))
        const [, significant = ""] = /^\$0\.0*(\d*)$/.exec(formatMoney(usd)) ?? []
        expect(significant.length).toBeLessThanOrEqual(3)
        expect(written).toBeGreaterThan(0)
        expect(Math.abs(written - usd)).toBeLessThanOrEqual(
          (usd < 1 ? usd * 0.005 : 0.005) * (1 + 1e-9)
        )
      })
    )
  })

  it("writes larger amounts as larger ones, and exact amounts with every digit", () => {
    fc.assert(
      fc.property(amount, amount, (one, other) => {
        const [small, large] = one < other ? [one, other] : [other, one]
        expect(readDollars(formatMoney(small))).toBeLessThanOrEqual(readDollars(formatMoney(large)))
        expect(readDollars(formatExactMoney(one))).toBe(one)
      })
    )
  })

  it.each([
    [0, "0 ms"],
    [999, "999 ms"],
    [1_500, "1.50 s"],
    [59_940, "59.9 s"],
    [3_661_000, "1 h 1 min"]
  ])("writes %s milliseconds as %s", (millis, text) => {
    expect(formatMillis(millis)).toBe(text)
  })

  it("writes a time span in its two largest units", () => {
    expect([0, 59_000, 60_000, 90_061_000].map(formatSpan)).toEqual([
      "0 s",
      "59 s",
      "1 min",
      "1 d 1 h"
    ])
  })

  it("writes small shares with a digit more", () => {
    expect([0, 0.0001, 0.004, 0.5, 1, Number.NaN].map(formatShare)).toEqual([
      "0 %",
      "<0.1 %",
      "0.4 %",
      "50 %",
      "100 %",
      "–"
    ])
  })
})
