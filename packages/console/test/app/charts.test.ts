import { describe, expect, it } from "vitest"
import { fillBuckets, type Point, type SeriesData } from "../../app/charts/fillBuckets.ts"
import { snapToBuckets } from "../../app/charts/snapToBuckets.ts"
import { stack } from "../../app/charts/stack.ts"

const figures: Omit<Point, "at"> = {
  requests: 3,
  errors: 1,
  byok_requests: 0,
  unpriced_requests: 0,
  tokens_prompt: 0,
  tokens_completion: 0,
  tokens_cached: 0,
  tokens_reasoning: 0,
  characters: 0,
  audio_seconds: 0,
  output_images: 0,
  cost: 0,
  upstream_inference_cost: 0,
  response_cache_hits: 0,
  response_cache_misses: 0,
  response_cache_saved: 0,
  latency: null,
  time_to_first_token: null,
  feedback: {}
}

const data: SeriesData = {
  interval: "minute",
  from: "2026-11-23T12:00:00.000Z",
  to: "2026-11-23T12:03:00.000Z",
  group_by: "total",
  series: [
    {
      value: null,
      model: null,
      user: null,
      is_other: false,
      totals: figures,
      feedback: {},
      points: [{ at: "2026-11-23T12:01:00.000Z", ...figures }]
    }
  ]
}

describe("the buckets of a chart", () => {
  it("are complete, with what is missing between the points of the API", () => {
    const { read, times } = fillBuckets(data)
    expect(times).toHaveLength(3)
    expect(read(data.series[0], ({ requests }) => requests, 0)).toEqual([0, 3, 0])
    expect(read(data.series[0], ({ latency }) => latency?.p50, null)).toEqual([null, null, null])
    expect(read(undefined, ({ requests }) => requests, 0)).toEqual([0, 0, 0])
  })

  it("are unfinished from the one on that has not ended when the data is read", () => {
    const times = ["00:30", "01:59.999", "02:00", "03:00"]
    expect(
      times.map((time) => fillBuckets(data, Date.parse(`2026-11-23T12:${time}Z`)).unfinished)
    ).toEqual([0, 1, 2, undefined])
  })

  it("are drawn on top of each other", () => {
    expect(
      stack([
        [1, null],
        [2, 5]
      ])
    ).toEqual([
      [1, 0],
      [3, 5]
    ])
  })
})

describe("a selected time", () => {
  const times = [0, 60, 120]

  it.each([
    [
      { from: 70, to: 80 },
      { from: 60, to: 120 }
    ],
    [
      { from: 59, to: 61 },
      { from: 0, to: 120 }
    ],
    [
      { from: 60, to: 120 },
      { from: 60, to: 120 }
    ],
    [
      { from: 130, to: 150 },
      { from: 120, to: 180 }
    ]
  ])("is that of the buckets that %o touches", (selected, snapped) => {
    expect(snapToBuckets(selected, times, 180)).toEqual(snapped)
  })
})
