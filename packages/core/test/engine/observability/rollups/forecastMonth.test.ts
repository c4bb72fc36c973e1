import { describe, expect, it } from "vitest"
import { forecastMonth } from "../../../../src/engine/observability/rollups/forecastMonth.ts"

const day = 86_400_000
const beganAt = Date.UTC(2026, 10, 1)
const endsAt = Date.UTC(2026, 11, 1)
/** Noon of the 21st: 9.5 days are left. */
const now = Date.UTC(2026, 10, 21, 12)
const times = { beganAt, endsAt, now, firstAt: Date.UTC(2026, 9, 3) }

const makeDays = (from: number, costs: ReadonlyArray<number>) =>
  costs.map((cost, at) => ({ at: from + at * day, cost }))

describe("the forecast of a month", () => {
  it("is what is spent and the mean of the last seven full days for each day to come", () => {
    const days = makeDays(beganAt, [...Array.from({ length: 20 }, () => 2), 1])
    expect(forecastMonth(days, times)).toEqual({
      spent: 41,
      expected: 60,
      low: 60,
      high: 60,
      days: 7
    })
  })

  it("is an interval where days differ, which is never below what is spent", () => {
    const days = makeDays(beganAt, [...Array.from({ length: 20 }, (_, at) => (at % 2) * 40), 0])
    const { expected, high, low, spent } = forecastMonth(days, times)!
    expect(spent).toBe(400)
    expect(low).toBeGreaterThanOrEqual(spent)
    expect(low).toBeLessThan(expected)
    // Both sides are alike.
    expect(high - expected).toBeCloseTo(expected - low)
    // By hand: sd 21.38, 9.5 + 9.5² / 7 = 22.39 variances, 1.645 of their root.
    expect(high - expected).toBeCloseTo(1.645 * 21.3809 * Math.sqrt(9.5 + 9.5 ** 2 / 7), 1)
  })

  it("counts days without requests, and none before the first request", () => {
    const firstAt = now - 4.2 * day
    const days = makeDays(Date.UTC(2026, 10, 18), [3])
    expect(forecastMonth(days, { ...times, firstAt })).toMatchObject({ days: 3, spent: 3 })
  })

  it("does not exist before there are two full days", () => {
    expect(forecastMonth([], { ...times, firstAt: now - 1.5 * day })).toBeUndefined()
  })

  it("leaves out what the month before has cost", () => {
    const days = makeDays(Date.UTC(2026, 9, 25), [100, 100])
    expect(forecastMonth(days, times)).toMatchObject({ spent: 0, expected: 0 })
  })
})
