/** The rows of an export of what was spent. Pure. */
import type { Measures } from "../../engine/observability/rollups/Measures.ts"
import { rankValues } from "../../engine/observability/rollups/Rollup.ts"
import type { RollupBucket } from "../../engine/observability/rollups/RollupStore.ts"
import {
  type Dimension,
  type DimensionValue,
  fromPairValue,
  isPairDimension
} from "../../values/Dimension.ts"
import type { CsvCell } from "../../values/render/writeCsv.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"

/** Those of a pair are its first dimension and `model`. */
export const listSpendColumns = (dimension: Dimension): ReadonlyArray<string> => [
  "from",
  ...(dimension === "total" ? [] : dimension.split(",")),
  ...(dimension === "total" ? [] : ["is_other"]),
  "requests",
  "errors",
  "tokens_prompt",
  "tokens_completion",
  "tokens_cached",
  "cost_usd",
  "upstream_inference_cost_usd"
]

/** One row for each bucket and value, the oldest bucket and its most important value first. Money is exact. */
export const toSpendRows = (
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
  NanoUsd.toUsdText(measures.upstreamCost)
]
