import { expect, it } from "vitest"
import { parseTimeRange, pickRangeSince, toRangeQuery } from "../../app/routing/timeRange.ts"

const now = Date.parse("2026-11-23T12:00:30Z")
const noon = Date.parse("2026-11-23T12:01:00Z")

it("ends a named range with the present minute", () => {
  expect(parseTimeRange({ range: "1h" }, now, "24h")).toEqual({
    from: noon - 3_600_000,
    to: noon,
    name: "1h"
  })
})

it.each([{}, { range: "__proto__" }, { range: "2h" }, { from: "x", to: "y" }])(
  "shows the range of the page for %o",
  (query) => {
    expect(parseTimeRange(query, now, "24h")).toEqual({
      from: noon - 86_400_000,
      to: noon,
      name: "24h"
    })
  }
)

it("reads a selected time back, and no time that ends before it begins", () => {
  const { from, to } = toRangeQuery(1_000, 2_000)
  expect(parseTimeRange({ from: from!, to: to! }, now, "24h")).toEqual({
    from: 1_000,
    to: 2_000,
    name: undefined
  })
  expect(parseTimeRange({ from: to!, to: from! }, now, "24h").name).toBe("24h")
})

it.each([
  ["2026-11-23T11:40:00Z", "1h"],
  ["2026-11-23T11:00:00Z", "6h"],
  ["2026-11-22T12:00:30Z", "24h"],
  ["2026-11-18T00:00:00Z", "7d"],
  ["2026-11-01T00:00:00Z", "30d"],
  ["2026-01-01T00:00:00Z", "30d"]
])("holds all since %s in the range %s", (first, range) => {
  expect(pickRangeSince(Date.parse(first), now)).toBe(range)
})
