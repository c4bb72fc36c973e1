import * as FastCheck from "fast-check"
import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import { granularities } from "../../../../src/engine/observability/analytics/AnalyticsQuery.ts"
import {
  type RangeQuestion,
  resolveAnalyticsRange
} from "../../../../src/engine/observability/analytics/resolveAnalyticsRange.ts"
import {
  bucketMillis,
  type Resolution,
  toBucketStart
} from "../../../../src/engine/observability/rollups/Resolution.ts"

const now = Date.parse("2026-11-23T18:39:14.567Z")
const day = bucketMillis.day
const retention = { minute: 2 * day, hour: 90 * day, day: 730 * day }

const resolve = (question: Partial<RangeQuestion>) =>
  resolveAnalyticsRange({
    start: undefined,
    end: undefined,
    granularity: undefined,
    now,
    retention,
    ...question
  })

const at = (text: string): number => Date.parse(text)

describe("the range of a query", () => {
  it("is by default the last seven days, until now", () => {
    assert.deepStrictEqual(
      resolve({}),
      Result.succeed({
        resolution: "hour",
        from: at("2026-11-16T18:00:00Z"),
        to: now + 1,
        warnings: []
      })
    )
  })

  it.each<[string, string, string, Resolution]>([
    ["days", "2026-11-01T00:00:00Z", "2026-11-08T00:00:00Z", "day"],
    ["hours", "2026-11-01T05:00:00Z", "2026-11-08T00:00:00Z", "hour"],
    ["minutes", "2026-11-22T05:01:00Z", "2026-11-22T05:09:00Z", "minute"]
  ])("of whole %s is exact", (_, start, end, resolution) => {
    assert.deepStrictEqual(
      resolve({ start: at(start), end: at(end), granularity: undefined }),
      Result.succeed({ resolution, from: at(start), to: at(end), warnings: [] })
    )
  })

  it("that no rollups have is widened, with a warning", () => {
    assert.deepStrictEqual(
      resolve({
        start: at("2026-11-10T05:01:00Z"),
        end: at("2026-11-12T00:00:00Z"),
        granularity: "day"
      }),
      Result.succeed({
        resolution: "hour",
        from: at("2026-11-10T05:00:00Z"),
        to: at("2026-11-12T00:00:00Z"),
        warnings: [
          "time_range.start is taken as 2026-11-10T05:00:00.000Z, because figures of that time are read by the hour"
        ]
      })
    )
  })

  it.each<[string, Partial<RangeQuestion>, string]>([
    ["empty", { start: now, end: now }, "must be before `end`"],
    [
      "older than minutes are kept",
      { start: at("2026-11-20T00:00:00Z"), granularity: "minute" },
      "is before the oldest figures: they are kept by minute since 2026-11-21T18:40:00.000Z, by hour since 2026-08-25T19:00:00.000Z, by day since 2024-11-24T00:00:00.000Z"
    ],
    [
      "older than anything is kept",
      { start: at("2020-01-01T00:00:00Z"), granularity: "month" },
      "is before the oldest figures: they are kept by day since 2024-11-24T00:00:00.000Z"
    ],
    [
      "of too many times",
      {
        start: at("2026-11-01T00:00:00Z"),
        granularity: "minute",
        retention: { minute: 90 * day, hour: 90 * day, day: 90 * day }
      },
      "gives more than 2881 times; choose a coarser granularity, or a shorter time"
    ]
  ])("is refused when it is %s", (_, question, problem) => {
    const refused = Result.flip(resolve(question))
    assert.deepInclude(Result.getOrThrow(refused), { path: ["time_range", "start"], problem })
  })

  it("has nothing when it is in the future", () => {
    const { from, to } = Result.getOrThrow(resolve({ start: now + day, end: now + 2 * day }))
    assert.strictEqual(from, to)
  })

  it("covers what was asked, and says so when it covers more", () =>
    FastCheck.assert(
      FastCheck.property(
        FastCheck.constantFrom(undefined, ...granularities),
        FastCheck.integer({ min: 0, max: 800 * day }),
        FastCheck.integer({ min: 1, max: 100 * day }),
        FastCheck.constantFrom(1, 60_000, bucketMillis.hour, day),
        (granularity, ago, length, unit) => {
          const start = Math.floor((now - ago) / unit) * unit
          const end = start + Math.ceil(length / unit) * unit
          const resolved = resolve({ start, end, granularity })
          if (Result.isFailure(resolved)) return
          const { from, resolution, to, warnings } = resolved.success
          assert.isAtMost(from, start)
          assert.isAbove(from + bucketMillis[resolution], start)
          assert.strictEqual(toBucketStart(resolution, from), from)
          assert.isAtLeast(from, now - retention[resolution])
          assert.isAtLeast(to, Math.min(end, now))
          if (end <= now) {
            assert.isBelow(to - bucketMillis[resolution], end)
            assert.strictEqual(toBucketStart(resolution, to), to)
          }
          assert.strictEqual(warnings.length, Number(from < start) + Number(end <= now && to > end))
        }
      )
    ))
})
