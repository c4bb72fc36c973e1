import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"
import { toWindowQuery } from "../../app/routing/windowQuery.ts"

const day = 86_400_000
const time = FastCheck.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2060, 0) })
const interval = FastCheck.constantFrom("daily", "weekly", "monthly")

describe("the query of an interval of spending", () => {
  it.each([
    ["daily", "2026-11-25T18:39:14.567Z", "2026-11-25T00:00:00.000Z"],
    // A Wednesday, a Monday and a Sunday.
    ["weekly", "2026-11-25T18:39:14.567Z", "2026-11-23T00:00:00.000Z"],
    ["weekly", "2026-11-23T00:00:00.000Z", "2026-11-23T00:00:00.000Z"],
    ["weekly", "2027-01-03T23:59:59.999Z", "2026-12-28T00:00:00.000Z"],
    ["monthly", "2026-11-25T18:39:14.567Z", "2026-11-01T00:00:00.000Z"],
    ["monthly", "2027-01-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"]
  ] as const)("%s at %s begins at %s", (each, now, from) => {
    expect(toWindowQuery(each, Date.parse(now))).toMatchObject({ range: undefined, from })
  })

  it("ends with the present minute", () => {
    expect(toWindowQuery("daily", Date.parse("2026-11-25T18:39:14.567Z")).to).toBe(
      "2026-11-25T18:40:00.000Z"
    )
    expect(toWindowQuery("daily", Date.parse("2026-11-25T18:39:00.000Z")).to).toBe(
      "2026-11-25T18:39:00.000Z"
    )
  })

  it("of a lifetime is the longest range of the page", () => {
    expect(toWindowQuery("lifetime", 0)).toEqual({ range: "30d", from: undefined, to: undefined })
  })

  it("begins at a midnight in UTC, is at most as long as its interval, and has no gap to the next", () =>
    FastCheck.assert(
      FastCheck.property(interval, time, (each, now) => {
        const query = toWindowQuery(each, now)
        const from = Date.parse(String(query.from))
        expect(from % day).toBe(0)
        expect(from).toBeLessThanOrEqual(now)
        expect(now - from).toBeLessThan({ daily: 1, weekly: 7, monthly: 31 }[each] * day)
        expect(Date.parse(String(query.to))).toBeGreaterThanOrEqual(now)
        expect(toWindowQuery(each, from).from).toBe(query.from)
        const before = Date.parse(String(toWindowQuery(each, from - 1).from))
        expect(before).toBeLessThan(from)
        expect(new Date(from).getUTCDay() === 1 || each !== "weekly").toBe(true)
        expect(new Date(from).getUTCDate() === 1 || each !== "monthly").toBe(true)
      })
    ))
})
