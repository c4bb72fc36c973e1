import { describe, expect, it } from "vitest"
import {
  describeChange,
  describePoints,
  formatSuccess,
  toSuccessShare
} from "../../app/pages/overview/compareFigures.ts"
import { toPeriods } from "../../app/pages/overview/toPeriods.ts"

const hour = 3_600_000
const now = Date.UTC(2026, 10, 30, 17, 20)

describe("the times of the overview", () => {
  it.each([
    [1, "minute"],
    [24, "hour"],
    [168, "hour"],
    [720, "day"]
  ])("of %i hours are compared in whole buckets, by %s", (hours, interval) => {
    const periods = toPeriods({ from: now - hours * hour, to: now, name: undefined }, now)
    expect(periods.interval).toBe(interval)
    expect(periods.from).toBeLessThanOrEqual(now - hours * hour)
    expect(periods.wholeUntil).toBeLessThanOrEqual(now)
    // As long as the part of the present time that is over.
    expect(periods.from - periods.beforeFrom).toBe(periods.wholeUntil - periods.from)
  })

  it("leave out the hour that is not over", () => {
    const { beforeFrom, from, wholeUntil } = toPeriods(
      { from: now - 24 * hour, to: now, name: "24h" },
      now
    )
    expect(new Date(from).toISOString()).toBe("2026-11-29T17:00:00.000Z")
    expect(new Date(wholeUntil).toISOString()).toBe("2026-11-30T17:00:00.000Z")
    expect(new Date(beforeFrom).toISOString()).toBe("2026-11-28T17:00:00.000Z")
  })
})

describe("a change", () => {
  it.each([
    [112, 100, "+12 % from before"],
    [50, 100, "−50 % from before"],
    [1_700, 100, "17 times what it was before"],
    [100, 100, "as before"],
    [5, 0, undefined],
    [null, 3, undefined]
  ])("from %s to %s is %s", (after, before, text) => {
    expect(describeChange(after, before)).toBe(text)
  })

  it("of shares is in points", () => {
    expect(describePoints(0.98, 0.99)).toBe("−1.0 points from before")
    expect(describePoints(1, 1)).toBe("as before")
    expect(describePoints(null, 1)).toBeUndefined()
  })
})

describe("the success rate", () => {
  it("is 100 % only where nothing failed", () => {
    expect(formatSuccess(toSuccessShare({ requests: 100_000, errors: 1 }))).toBe("99.99 %")
    expect(formatSuccess(toSuccessShare({ requests: 100_000, errors: 0 }))).toBe("100 %")
    expect(formatSuccess(toSuccessShare({ requests: 100, errors: 42 }))).toBe("58 %")
  })

  it("is unknown without requests", () => {
    expect(toSuccessShare({ requests: 0, errors: 0 })).toBeNull()
    expect(formatSuccess(null)).toBe("–")
  })
})
