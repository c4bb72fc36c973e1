import * as FastCheck from "fast-check"
import { assert, describe, it } from "vitest"
import {
  granularities,
  listResolutions,
  toGranularityStart
} from "../../../../src/engine/observability/analytics/AnalyticsQuery.ts"
import { toBucketStart } from "../../../../src/engine/observability/rollups/Resolution.ts"

const time = FastCheck.integer({ min: 0, max: Date.UTC(2100, 0) })
const granularity = FastCheck.constantFrom(...granularities)

describe("the start of a granularity", () => {
  it.each([
    ["minute", "2026-11-23T18:39:00.000Z"],
    ["hour", "2026-11-23T18:00:00.000Z"],
    ["day", "2026-11-23T00:00:00.000Z"],
    ["week", "2026-11-23T00:00:00.000Z"],
    ["month", "2026-11-01T00:00:00.000Z"]
  ] as const)("of a %s on a Monday is %s", (name, start) => {
    assert.strictEqual(
      new Date(toGranularityStart(name, Date.parse("2026-11-23T18:39:14.567Z"))).toISOString(),
      start
    )
  })

  it("of a week is its Monday, across the end of a year", () => {
    const start = toGranularityStart("week", Date.parse("2027-01-03T23:59:59Z"))
    assert.strictEqual(new Date(start).toISOString(), "2026-12-28T00:00:00.000Z")
  })

  it("is the same for all times of a bucket of each resolution that adds up to it", () =>
    FastCheck.assert(
      FastCheck.property(granularity, time, (name, at) => {
        const start = toGranularityStart(name, at)
        assert.isAtMost(start, at)
        assert.strictEqual(toGranularityStart(name, start), start)
        for (const resolution of listResolutions(name)) {
          assert.strictEqual(toGranularityStart(name, toBucketStart(resolution, at)), start)
        }
      })
    ))
})
