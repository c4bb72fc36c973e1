/** Handlers of the series operations. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { countFeedback, type Feedback } from "../../domains/feedback/Feedback.ts"
import { FeedbackStore } from "../../domains/feedback/FeedbackStore.ts"
import type { Measures } from "../../engine/observability/rollups/Measures.ts"
import { makeMonthSpending } from "../../engine/ledger/makeMonthSpending.ts"
import { type Resolution, toBucketStart } from "../../engine/observability/rollups/Resolution.ts"
import { rankValues } from "../../engine/observability/rollups/Rollup.ts"
import { forEachValue } from "../../engine/observability/rollups/RollupSums.ts"
import { type RollupBucket, RollupStore } from "../../engine/observability/rollups/RollupStore.ts"
import { resolveTimeRange } from "../../engine/observability/rollups/resolveTimeRange.ts"
import { pickPairs, pickSeries, toSeries } from "../../engine/observability/rollups/toSeries.ts"
import { Settings } from "../../instance/Settings.ts"
import {
  type Dimension,
  type DimensionValue,
  fromPairValue,
  isPairDimension,
  toPairValue,
  workspaceUsers
} from "../../values/Dimension.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import { type CsvCell, writeCsv } from "../../values/render/writeCsv.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { toMillis } from "../contract/queryParameters.ts"
import type { Handlers } from "../operation/Handler.ts"
import { StreamedReply } from "../operation/Reply.ts"
import { csvContentType, type SeriesApi } from "./SeriesApi.ts"
import { toFiguresResponse } from "./toFiguresResponse.ts"

export const seriesHandlers = Effect.gen(function* () {
  const feedbacks = yield* FeedbackStore
  const rollups = yield* RollupStore
  const readMonth = yield* makeMonthSpending
  const { rollupPairs } = yield* Settings

  /** The buckets of a dimension that is kept, with the time that they cover. */
  const read = Effect.fnUntraced(function* (
    account: AccountId,
    dimension: Dimension,
    query: { readonly from?: string; readonly to?: string; readonly interval?: Resolution }
  ) {
    if (isPairDimension(dimension) && !rollupPairs.includes(dimension)) {
      return yield* new InvalidRequest({
        path: ["group_by"],
        problem: `is not kept; settings.rollupPairs has ${rollupPairs.join(" and ") || "no pairs"}`
      })
    }
    const now = yield* Clock.currentTimeMillis
    const range = yield* Effect.fromResult(
      resolveTimeRange(
        { from: toMillis(query.from), to: toMillis(query.to), resolution: query.interval },
        now
      )
    )
    return { buckets: yield* rollups.list({ account, dimension, ...range }), range }
  })

  return {
    forecast: (_, { caller }) =>
      Effect.map(readMonth(caller.account), ({ forecast, ...month }) => ({
        data: {
          began_at: toIsoTime(month.beganAt),
          ends_at: toIsoTime(month.endsAt),
          spent: month.spent,
          former: month.former,
          former_so_far: month.formerSoFar,
          forecast: forecast === undefined ? null : Struct.omit(forecast, ["spent"])
        }
      })),
    exportSpend: Effect.fnUntraced(function* ({ query }, { caller }) {
      const { group_by: dimension = "total", interval = "day" } = query
      const { buckets } = yield* read(caller.account, dimension, { ...query, interval })
      const rows = toSpendRows(buckets, dimension)
      if (rows.length > maxSpendRows) {
        return yield* new InvalidRequest({
          path: ["interval"],
          problem: `gives more than ${maxSpendRows} rows; choose a coarser one, or a shorter time`
        })
      }
      const csv = writeCsv(listSpendColumns(dimension), rows)
      return new StreamedReply(csv, () =>
        HttpServerResponse.text(csv, {
          contentType: csvContentType,
          headers: { "content-disposition": 'attachment; filename="spend.csv"' }
        })
      )
    }),
    get: Effect.fnUntraced(function* ({ query }, { caller }) {
      const { group_by: dimension = "total", limit, value } = query
      const isPair = isPairDimension(dimension)
      const { buckets, range } = yield* read(caller.account, dimension, query)
      const series =
        value === undefined
          ? toSeries(buckets, limit)
          : isPair
            ? toSeries(pickPairs(buckets, value), limit)
            : pickSeries(buckets, value)
      const named = new Set(series.flatMap(({ isOther, value }) => (isOther ? [] : [value])))
      const given = (yield* feedbacks.listByTime(caller.account, range.from, range.to)).flatMap(
        (feedback) => {
          const value = findDimensionValue(feedback, dimension)
          const bucket = toBucketStart(range.resolution, feedback.generation.startedAt)
          return value === undefined ? [] : [{ bucket, feedback, value }]
        }
      )
      return {
        data: {
          interval: range.resolution,
          from: toIsoTime(range.from),
          to: toIsoTime(range.to),
          group_by: dimension,
          series: series.map(({ isOther, points, total, value }) => {
            const own = given.filter((each) =>
              isOther ? !named.has(each.value) : each.value === value
            )
            return {
              ...toValues(value, dimension),
              is_other: isOther,
              totals: toFiguresResponse(total),
              feedback: countFeedback(own.map(({ feedback }) => feedback)),
              points: points.map(({ measures, startedAt }) => ({
                at: toIsoTime(startedAt),
                ...toFiguresResponse(measures),
                feedback: countFeedback(
                  own.flatMap((each) => (each.bucket === startedAt ? [each.feedback] : []))
                )
              }))
            }
          })
        }
      }
    })
  } satisfies Handlers<typeof SeriesApi>
})

const toIsoTime = (at: number): string => new Date(at).toISOString()

const toValues = (value: DimensionValue, dimension: Dimension) => {
  if (value === null || !isPairDimension(dimension)) return { value, model: null, user: null }
  const [first, second] = fromPairValue(value)
  return dimension === workspaceUsers
    ? { value: first, model: null, user: second }
    : { value: first, model: second, user: null }
}

/** Enough for every hour of a month and a hundred values, and little enough to be written at once. */
const maxSpendRows = 100_000

/** Those of a pair are its first dimension and `model`. */
const listSpendColumns = (dimension: Dimension): ReadonlyArray<string> => [
  "from",
  ...(dimension === "total" ? [] : dimension.split(",")),
  ...(dimension === "total" ? [] : ["is_other"]),
  "requests",
  "errors",
  "tokens_prompt",
  "tokens_completion",
  "tokens_cached",
  "cost_usd",
  "upstream_inference_cost_usd",
  "response_cache_hits",
  "response_cache_misses",
  "response_cache_saved_usd"
]

/** One row for each bucket and value, the oldest bucket and its most important value first. Money is exact. */
const toSpendRows = (
  buckets: ReadonlyArray<RollupBucket>,
  dimension: Dimension
): ReadonlyArray<ReadonlyArray<CsvCell>> =>
  buckets.flatMap(({ other, startedAt, values }) => {
    const from = new Date(startedAt).toISOString()
    return [
      ...rankValues(values).map(([value, measures]) => [
        from,
        ...toNames(dimension, value, false),
        ...toFigures(measures)
      ]),
      ...(other === undefined
        ? []
        : [[from, ...toNames(dimension, null, true), ...toFigures(other)]])
    ]
  })

const toNames = (
  dimension: Dimension,
  value: DimensionValue,
  isOther: boolean
): ReadonlyArray<CsvCell> => {
  if (dimension === "total") return []
  if (!isPairDimension(dimension)) return [value, String(isOther)]
  return [...(value === null ? [null, null] : fromPairValue(value)), String(isOther)]
}

const toFigures = (measures: Measures): ReadonlyArray<CsvCell> => [
  measures.requests,
  measures.errors,
  measures.inputTokens,
  measures.outputTokens,
  measures.cachedTokens,
  NanoUsd.toUsdText(measures.cost),
  NanoUsd.toUsdText(measures.upstreamCost),
  measures.cacheHits,
  measures.cacheMisses,
  NanoUsd.toUsdText(measures.saved)
]

/** The value of a dimension that the generation counts to in series; undefined: it is in no series. */
const findDimensionValue = (
  { generation }: Feedback,
  dimension: Dimension
): DimensionValue | undefined => {
  let found: DimensionValue | undefined
  const pairs = isPairDimension(dimension) ? [dimension] : []
  forEachValue(generation, pairs, toPairValue, (each, value) => {
    if (each === dimension) found = value
  })
  return found
}
