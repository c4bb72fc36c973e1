import * as fc from "fast-check"
import { expect, test } from "vitest"
import { toMatchingBuckets } from "../../app/pages/requests/toMatchingBuckets.ts"

const from = Date.parse("2026-11-23T12:00:00.000Z")
const to = from + 3 * 60_000

const row = (seconds: number, outcome = "answered", latency = 10) => ({
  created_at: new Date(from + seconds * 1_000).toISOString(),
  outcome,
  latency
})

test("requests are counted by when they began and how they ended", () => {
  const rows = [row(170, "answered", 30), row(65, "timeout", 99), row(62), row(61, "answered", 20)]
  expect(toMatchingBuckets(rows, { from, to }, true, to - 1)).toEqual({
    times: [from, from + 60_000, from + 120_000],
    from,
    to,
    unfinished: 2,
    answered: [0, 2, 1],
    failed: [0, 1, 0],
    latency: [null, 10, 30]
  })
})

test("no bucket lacks requests that the list has not loaded", () => {
  const {
    answered,
    from: begin,
    unfinished
  } = toMatchingBuckets([row(170), row(65), row(62)], { from, to }, false, to)
  expect({ answered, begin, unfinished }).toEqual({
    answered: [1],
    begin: from + 120_000,
    unfinished: undefined
  })
})

test("a whole list has every request in one of at most about sixty buckets", () => {
  const hour = 3_600_000
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 720 }),
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (hours, shares) => {
        const end = from + hours * hour
        const rows = shares.toSorted((a, b) => b - a).map((share) => row(share * hours * 3_600))
        const { answered, times } = toMatchingBuckets(rows, { from, to: end }, true, end)
        expect(answered.reduce((sum, count) => sum + count, 0)).toBe(rows.length)
        expect(times.length).toBeLessThanOrEqual(61)
      }
    )
  )
})
