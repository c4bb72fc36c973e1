import { describe, expect, it } from "vitest"
import { toWindowQuery } from "../../app/routing/windowQuery.ts"

const beganAt = "2026-11-24T23:00:00.000Z"

describe("the query of an interval of spending", () => {
  it.each([
    ["2026-11-25T18:39:14.567Z", "2026-11-25T18:40:00.000Z"],
    ["2026-11-25T18:39:00.000Z", "2026-11-25T18:39:00.000Z"]
  ])("begins with the interval and, at %s, ends with the present minute", (now, to) => {
    expect(toWindowQuery(beganAt, Date.parse(now))).toEqual({ range: undefined, from: beganAt, to })
  })

  it.each([null, undefined])("of %s is the longest range of the page", (none) => {
    expect(toWindowQuery(none, 0)).toEqual({ range: "30d", from: undefined, to: undefined })
  })
})
