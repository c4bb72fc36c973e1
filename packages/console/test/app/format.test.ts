import { describe, expect, it } from "vitest"
import {
  formatExactMoney,
  formatMillis,
  formatMoney,
  formatShare,
  formatSpan
} from "../../app/format/format.ts"

describe("figures", () => {
  it.each([
    [null, "–"],
    [undefined, "–"],
    [0, "$0.00"],
    [0.000_000_001, "<$0.01"],
    [0.004_9, "<$0.01"],
    [0.005, "$0.01"],
    [1_234.567, "$1,234.57"]
  ])("writes %s USD to the cent as %s", (usd, text) => {
    expect(formatMoney(usd)).toBe(text)
  })

  it.each([
    [0, "$0.00"],
    [1.5, "$1.50"],
    [0.000_330_001, "$0.000330001"],
    [12.345, "$12.345"]
  ])("writes %s USD exactly as %s", (usd, text) => {
    expect(formatExactMoney(usd)).toBe(text)
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
