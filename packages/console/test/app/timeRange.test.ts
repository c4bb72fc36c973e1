import { expect, it } from "vitest"
import { parseTimeRange, toRangeQuery } from "../../app/routing/timeRange.ts"

const now = Date.parse("2026-11-23T12:00:30Z")
const noon = Date.parse("2026-11-23T12:01:00Z")

it("ends a named range with the present minute", () => {
  expect(parseTimeRange({ range: "1h" }, now)).toEqual({
    from: noon - 3_600_000,
    to: noon,
    name: "1h"
  })
})

it.each([{}, { range: "__proto__" }, { range: "2h" }, { from: "x", to: "y" }])(
  "shows a day for %o",
  (query) => {
    expect(parseTimeRange(query, now)).toEqual({ from: noon - 86_400_000, to: noon, name: "24h" })
  }
)

it("reads a selected time back, and no time that ends before it begins", () => {
  const { from, to } = toRangeQuery(1_000, 2_000)
  expect(parseTimeRange({ from: from!, to: to! }, now)).toEqual({
    from: 1_000,
    to: 2_000,
    name: undefined
  })
  expect(parseTimeRange({ from: to!, to: from! }, now).name).toBe("24h")
})
