/** Series: the operations of the group `series`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface Series {
  readonly interval: "minute" | "hour" | "day"
  readonly from: string
  readonly to: string
  readonly group_by: string
  readonly series: ReadonlyArray<{
    readonly value: string | null
    readonly model: string | null
    readonly user: string | null
    readonly is_other: boolean
    readonly totals: {
      readonly requests: number
      readonly errors: number
      readonly byok_requests: number
      readonly unpriced_requests: number
      readonly tokens_prompt: number
      readonly tokens_completion: number
      readonly tokens_cached: number
      readonly tokens_reasoning: number
      readonly characters: number
      readonly audio_seconds: number
      readonly output_images: number
      readonly cost: number
      readonly upstream_inference_cost: number
      readonly response_cache_hits: number
      readonly response_cache_misses: number
      readonly response_cache_saved: number
      readonly latency: SeriesLatency | null
      readonly time_to_first_token: SeriesLatency | null
    }
    readonly feedback: Readonly<Record<string, number>>
    readonly points: ReadonlyArray<{
      readonly at: string
      readonly requests: number
      readonly errors: number
      readonly byok_requests: number
      readonly unpriced_requests: number
      readonly tokens_prompt: number
      readonly tokens_completion: number
      readonly tokens_cached: number
      readonly tokens_reasoning: number
      readonly characters: number
      readonly audio_seconds: number
      readonly output_images: number
      readonly cost: number
      readonly upstream_inference_cost: number
      readonly response_cache_hits: number
      readonly response_cache_misses: number
      readonly response_cache_saved: number
      readonly latency: SeriesLatency | null
      readonly time_to_first_token: SeriesLatency | null
      readonly feedback: Readonly<Record<string, number>>
    }>
  }>
}

export interface SeriesLatency {
  readonly p50: number
  readonly p90: number
  readonly p95: number
  readonly p99: number
}

export interface SeriesForecast {
  readonly began_at: string
  readonly ends_at: string
  readonly spent: number
  readonly former: number
  readonly former_so_far: number
  readonly forecast: {
    readonly expected: number
    readonly low: number
    readonly high: number
    readonly days: number
  } | null
}

export interface SeriesGetInput {
  /** Beginning, rounded down to the interval. Default: a day before `to`. */
  readonly from?: string
  /** End, exclusive. Default: now. */
  readonly to?: string
  /** Length of a bucket. Default: `minute` up to two hours, `hour` up to a week, else `day`. */
  readonly interval?: "minute" | "hour" | "day"
  /** One series for each value: a dimension, a tag such as `tag:customer`, or a pair such as `workspace,model`. `endpoint` and `provider` count attempts. Default: `total`. */
  readonly group_by?: string
  /** Only the series of this value; of a pair, the value of the first. */
  readonly value?: string
  /** Number of series besides the one for the rest. */
  readonly limit?: number
}

export interface SeriesGetOutput {
  readonly data: Series
}

export interface SeriesForecastOutput {
  readonly data: SeriesForecast
}

export interface SeriesExportSpendInput {
  /** Beginning, rounded down to the interval. Default: a day before `to`. */
  readonly from?: string
  /** End, exclusive. Default: now. */
  readonly to?: string
  /** Time of a row. Default: `day`. */
  readonly interval?: "minute" | "hour" | "day"
  /** One row for each value and interval, as in series. Default: `total`. */
  readonly group_by?: string
}

/** Series. */
export const series = (connection: Connection) => ({
  /** Get requests, errors, tokens, cost and latency of the account over time, by dimension. */
  get: (input?: SeriesGetInput, options?: CallOptions): Promise<SeriesGetOutput> =>
    connection.call("GET /api/v1/signalbox/series", input, options),
  /** Get what the account has spent this month, where the month will end, and what the month before cost. */
  forecast: (options?: CallOptions): Promise<SeriesForecastOutput> =>
    connection.call("GET /api/v1/signalbox/forecast", undefined, options),
  /** Export requests, tokens and cost of the account over time as CSV, by dimension. */
  exportSpend: (input?: SeriesExportSpendInput, options?: CallOptions): Promise<string> =>
    connection.text("GET /api/v1/signalbox/spend.csv", input, options)
})
