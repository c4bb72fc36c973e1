/** Converts measures to their response. */
import * as Histogram from "../../values/Histogram.ts"
import type { Measures } from "../../engine/observability/rollups/Measures.ts"
import { toMeasureFields } from "../contract/measures.ts"
import type { FiguresResponse } from "./SeriesApi.ts"

export const toFiguresResponse = (measures: Measures): typeof FiguresResponse.Type => ({
  ...toMeasureFields(measures),
  latency: toPercentiles(measures.latency),
  time_to_first_token: toPercentiles(measures.firstEvent)
})

const toPercentiles = (histogram: Histogram.Histogram): (typeof FiguresResponse.Type)["latency"] =>
  histogram.count === 0
    ? null
    : {
        p50: Histogram.getQuantile(histogram, 0.5),
        p90: Histogram.getQuantile(histogram, 0.9),
        p95: Histogram.getQuantile(histogram, 0.95),
        p99: Histogram.getQuantile(histogram, 0.99)
      }
