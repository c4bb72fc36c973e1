/** Handlers of the series operations. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { toMillis } from "../contract/queryParameters.ts"
import type { Handlers } from "../operation/Handler.ts"
import { resolveTimeRange } from "../../engine/observability/rollups/resolveTimeRange.ts"
import { RollupStore } from "../../engine/observability/rollups/RollupStore.ts"
import { pickSeries, toSeries } from "../../engine/observability/rollups/toSeries.ts"
import type { SeriesApi } from "./SeriesApi.ts"
import { toFiguresResponse } from "./toFiguresResponse.ts"

export const seriesHandlers = Effect.gen(function* () {
  const rollups = yield* RollupStore
  return {
    get: Effect.fnUntraced(function* ({ query }, { caller }) {
      const { group_by: dimension = "total", limit, value } = query
      const now = yield* Clock.currentTimeMillis
      const range = yield* Effect.fromResult(
        resolveTimeRange(
          { from: toMillis(query.from), to: toMillis(query.to), resolution: query.interval },
          now
        )
      )
      const buckets = yield* rollups.list({ account: caller.account, dimension, ...range })
      const series = value === undefined ? toSeries(buckets, limit) : pickSeries(buckets, value)
      return {
        data: {
          interval: range.resolution,
          from: toIsoTime(range.from),
          to: toIsoTime(range.to),
          group_by: dimension,
          series: series.map(({ isOther, points, total, value }) => ({
            value,
            is_other: isOther,
            totals: toFiguresResponse(total),
            points: points.map(({ measures, startedAt }) => ({
              at: toIsoTime(startedAt),
              ...toFiguresResponse(measures)
            }))
          }))
        }
      }
    })
  } satisfies Handlers<typeof SeriesApi>
})

const toIsoTime = (at: number): string => new Date(at).toISOString()
