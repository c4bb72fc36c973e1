/** Analytics: the operations of the group `analytics`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface Analytic {
  readonly metrics: ReadonlyArray<{
    readonly name: string
    readonly display_label: string
    readonly display_format: "number" | "currency" | "percent"
    readonly is_rate: boolean
  }>
  readonly dimensions: ReadonlyArray<{
    readonly name: string
    readonly display_label: string
  }>
  readonly operators: ReadonlyArray<{
    readonly name: string
    readonly value_type: "scalar" | "array"
  }>
  readonly granularities: ReadonlyArray<{
    readonly name: "minute" | "hour" | "day" | "week" | "month"
    readonly display_label: string
  }>
}

export interface AnalyticsGetMetaOutput {
  readonly data: Analytic
}

export interface AnalyticsQueryInput {
  readonly metrics: ReadonlyArray<string>
  readonly dimensions?: ReadonlyArray<string>
  readonly filters?: ReadonlyArray<{
    readonly field: string
    readonly operator: string
    readonly value: string | number | ReadonlyArray<string | number>
    readonly include_unset?: boolean
  }>
  readonly granularity?: string
  readonly time_range?: {
    readonly start: string
    readonly end: string
  }
  readonly order_by?: {
    readonly field: string
    readonly direction: "asc" | "desc"
  }
  readonly limit?: number
  readonly group_limit?: number
  readonly classifier_dimensions?: unknown
  readonly classifier_filters?: unknown
}

export interface AnalyticsQueryOutput {
  readonly data: {
    readonly data: ReadonlyArray<Readonly<Record<string, string | number | boolean | null>>>
    readonly metadata: {
      readonly query_time_ms: number
      readonly row_count: number
      readonly truncated: boolean
    }
    readonly warnings?: ReadonlyArray<string>
  }
}

/** Analytics. */
export const analytics = (connection: Connection) => ({
  /** Get the metrics, dimensions, operators and granularities that a query on analytics may name. */
  getMeta: (options?: CallOptions): Promise<AnalyticsGetMetaOutput> =>
    connection.call("GET /api/v1/analytics/meta", undefined, options),
  /** Query requests, errors, tokens and cost of the account, by time and one dimension. */
  query: (input: AnalyticsQueryInput, options?: CallOptions): Promise<AnalyticsQueryOutput> =>
    connection.call("POST /api/v1/analytics/query", input, options)
})
