import { expect, it } from "vitest"
import { formatTicks } from "../../app/charts/formatTicks.ts"

const noon = Date.UTC(2026, 0, 2, 12) / 1_000
const hour = 3_600

it("names the day below its first time", () => {
  expect(formatTicks([noon, noon + 6 * hour, noon + 12 * hour], 6 * hour, true)).toEqual([
    "12:00 PM\nJan 2",
    "6:00 PM",
    "12:00 AM\nJan 3"
  ])
})

it("has seconds where times are closer than a minute, and no times where they are days apart", () => {
  expect(formatTicks([noon, noon + 30], 30, true)).toEqual(["12:00:00 PM\nJan 2", "12:00:30 PM"])
  expect(formatTicks([noon, noon + 24 * hour], 24 * hour, true)).toEqual(["Jan 2", "Jan 3"])
})
