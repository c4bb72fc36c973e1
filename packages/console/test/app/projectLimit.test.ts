import { expect, it } from "vitest"
import { projectLimit } from "../../app/pages/spend/projectLimit.ts"

const began = Date.UTC(2026, 10, 1)
const day = 86_400_000
const limit = {
  began_at: new Date(began).toISOString(),
  resets_at: new Date(began + 30 * day).toISOString(),
  limit: 10,
  settled: 0,
  reserved: 0
}

it.each([
  ["half is spent after ten days", { settled: 4, reserved: 1 }, 10 * day, began + 20 * day],
  ["it is full", { settled: 10 }, day, began + day],
  ["the rate is too low", { settled: 1 }, 10 * day, null],
  ["nothing is spent", {}, 10 * day, null],
  ["the interval has only begun", { settled: 1 }, 60_000, undefined],
  ["it never resets", { began_at: null, settled: 1 }, 10 * day, undefined]
])("a limit of which %s", (_, change, elapsed, expected) => {
  expect(projectLimit({ ...limit, ...change }, began + elapsed)).toBe(expected)
})
