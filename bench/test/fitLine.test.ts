/** The slope of a soak test and its uncertainty. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { fitLine, type Point } from "../fitLine.ts"

const finite = fc.integer({ min: -1_000, max: 1_000 })

test("points on a line have its slope and no error", () => {
  fc.assert(
    fc.property(finite, finite, fc.integer({ min: 3, max: 50 }), (slope, offset, count) => {
      const points = Array.from({ length: count }, (_, x): Point => [x, slope * x + offset])
      const line = fitLine(points)
      expect(line.slope).toBeCloseTo(slope, 6)
      expect(line.standardError).toBeCloseTo(0, 6)
    })
  )
})

test("noise around a constant is within two standard errors of no slope", () => {
  const points = Array.from({ length: 100 }, (_, x): Point => [x, x % 2 === 0 ? 5 : 7])
  const { slope, standardError } = fitLine(points)
  expect(standardError).toBeGreaterThan(0)
  expect(Math.abs(slope)).toBeLessThan(2 * standardError)
})
