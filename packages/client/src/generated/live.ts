/** Live endpoints: the operations of the group `live`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"
import type { SeriesLatency } from "./series.ts"

export interface Live {
  readonly at: string
  readonly endpoints: ReadonlyArray<{
    readonly endpoint_id: string
    readonly model: string
    readonly provider: string
    readonly breaker: LiveBreaker
    readonly other_processes: ReadonlyArray<{
      readonly process_id: string
      readonly breaker: LiveBreaker
      readonly in_flight: number
    }>
    readonly control: {
      readonly state: "active" | "drained" | "disabled"
      readonly weight: number
    }
    readonly uptime: {
      readonly m5: number | null
      readonly m30: number | null
      readonly d1: number | null
    }
    readonly throughput: {
      readonly p50: number
      readonly p90: number
      readonly p99: number
    } | null
    readonly failures: Readonly<Record<string, number>>
    readonly rate_limited: number
    readonly requests_per_minute: number
    readonly error_share: number | null
    readonly figures: LiveFigure
    readonly points: ReadonlyArray<{
      readonly at: string
      readonly requests: number
      readonly errors: number
      readonly latency: number | null
    }>
  }>
  readonly total_count: number
  readonly order?: ReadonlyArray<string>
}

export interface LiveBreaker {
  readonly state: "closed" | "open" | "ramping" | "backing_off"
  readonly since: string | null
  readonly cause: string | null
  readonly next_probe_at: string | null
  readonly share: number | null
}

export interface LiveFigure {
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

export interface LiveProvider {
  readonly provider: string
  readonly name: string
  readonly models: number
  readonly control: {
    readonly state: "active" | "drained" | "disabled"
    readonly weight: number
  }
  readonly endpoints: number
  readonly endpoints_in_service: number
  readonly endpoints_failing: number
  readonly failing_since: string | null
  readonly cause: string | null
  readonly share: number
  readonly figures: LiveFigure
  readonly latency_p95: number | null
  readonly hours: ReadonlyArray<{
    readonly at: string
    readonly requests: number
    readonly errors: number
  }>
}

export interface LiveModel {
  readonly model: string
  readonly name: string
  readonly context_length: number | null
  readonly price: {
    readonly prompt: {
      readonly min: string
      readonly max: string
    }
    readonly completion: {
      readonly min: string
      readonly max: string
    }
  } | null
  readonly providers: ReadonlyArray<string>
  readonly endpoints: number
  readonly endpoints_in_service: number
  readonly endpoints_failing: number
  readonly failing_since: string | null
  readonly cause: string | null
  readonly share: number
  readonly figures: LiveFigure
  readonly latency_p95: number | null
  readonly hours: ReadonlyArray<{
    readonly at: string
    readonly requests: number
    readonly errors: number
  }>
}

export interface LiveListEndpointsInput {
  /** Words that the id of the endpoint must contain, in any order and case. */
  readonly q?: string
  /** Slug of a model. */
  readonly model?: string
  /** Slug or name of a provider. */
  readonly provider?: string
  /** Comma-separated states of the breaker of this process. Default: any. */
  readonly state?: string
  /** By `model`, or with the highest first: the `requests`, share of `failures` or median `latency` of five minutes, or the urgency of the breaker's `state`. Endpoints without the value come last. Default: as the host lists them. */
  readonly sort?: "model" | "requests" | "failures" | "latency" | "state"
  /** Number of endpoints to skip. Without `offset` and `limit`, all endpoints are returned. */
  readonly offset?: number
  /** Number of endpoints to return. Default: 50 with an offset. */
  readonly limit?: number
  /** Number of minutes that `points` go back. */
  readonly minutes?: number
}

export interface LiveListEndpointsOutput {
  readonly data: Live
}

export interface LiveListProcessesOutput {
  readonly data: {
    readonly at: string
    readonly processes: ReadonlyArray<{
      readonly id: string
      readonly started_at: string
      readonly version: string
      readonly status: "ready" | "draining" | "storage_unavailable"
      readonly configuration: {
        readonly fingerprint: string
        readonly made_at: string
        readonly models: number
      }
      readonly running: number
      readonly event_loop_delay?: number
      readonly endpoints: ReadonlyArray<{
        readonly endpoint_id: string
        readonly breaker: LiveBreaker
        readonly in_flight: number
      }>
      readonly connection_waits: ReadonlyArray<{
        readonly provider: string
        readonly waiting: number
      }>
      readonly queues: ReadonlyArray<{
        readonly name: string
        readonly waiting: number
        readonly dropped: number
        readonly failed: number
      }>
      readonly is_self: boolean
      readonly is_lost: boolean
      readonly seen_at: string
    }>
  }
}

export interface LiveListProvidersInput {
  /** Words that its id or name must contain, in any order and case. */
  readonly q?: string
  /** Whether an endpoint fails. Default: all. */
  readonly state?: "failing" | "healthy"
  /** By the time since which it fails, the highest `requests`, share of `failures`, 95th percentile of the `latency` or `cost` first, or by `name`. Default: `state`. */
  readonly sort?: "state" | "requests" | "failures" | "latency" | "cost" | "name"
  /** Number of rows to skip. */
  readonly offset?: number
  /** Number of rows to return. */
  readonly limit?: number
  /** Number of hours that figures go back, the present one included. */
  readonly hours?: number
  /** Slug of a provider. */
  readonly provider?: string
}

export interface LiveListProvidersPage {
  readonly data: ReadonlyArray<LiveProvider>
  readonly total_count: number
}

export interface LiveListModelsInput {
  /** Words that its id or name must contain, in any order and case. */
  readonly q?: string
  /** Whether an endpoint fails. Default: all. */
  readonly state?: "failing" | "healthy"
  /** By the time since which it fails, the highest `requests`, share of `failures`, 95th percentile of the `latency` or `cost` first, or by `name`. Default: `state`. */
  readonly sort?: "state" | "requests" | "failures" | "latency" | "cost" | "name"
  /** Number of rows to skip. */
  readonly offset?: number
  /** Number of rows to return. */
  readonly limit?: number
  /** Number of hours that figures go back, the present one included. */
  readonly hours?: number
  /** Slug of a model. */
  readonly model?: string
  /** Slug of a provider that serves it. */
  readonly provider?: string
}

export interface LiveListModelsPage {
  readonly data: ReadonlyArray<LiveModel>
  readonly total_count: number
}

export interface LiveWatchEndpointsInput {
  /** Words that the id of the endpoint must contain, in any order and case. */
  readonly q?: string
  /** Slug of a model. */
  readonly model?: string
  /** Slug or name of a provider. */
  readonly provider?: string
  /** Comma-separated states of the breaker of this process. Default: any. */
  readonly state?: string
  /** By `model`, or with the highest first: the `requests`, share of `failures` or median `latency` of five minutes, or the urgency of the breaker's `state`. Endpoints without the value come last. Default: as the host lists them. */
  readonly sort?: "model" | "requests" | "failures" | "latency" | "state"
  /** Number of endpoints to skip. Without `offset` and `limit`, all endpoints are returned. */
  readonly offset?: number
  /** Number of endpoints to return. Default: 50 with an offset. */
  readonly limit?: number
  /** Number of minutes that `points` go back. */
  readonly minutes?: number
  /** Seconds between two events. */
  readonly interval?: number
  /** Number of events after which the stream ends. Default: it does not end. */
  readonly count?: number
}

/** Live endpoints. */
export const live = (connection: Connection) => ({
  /** List the endpoints with their breakers, speed and recent figures, filtered and sorted. */
  listEndpoints: (
    input?: LiveListEndpointsInput,
    options?: CallOptions
  ): Promise<LiveListEndpointsOutput> =>
    connection.call("GET /api/v1/signalbox/endpoints", input, options),
  /** List the processes on the store with their versions, breakers, running requests and queues. */
  listProcesses: (options?: CallOptions): Promise<LiveListProcessesOutput> =>
    connection.call("GET /api/v1/signalbox/processes", undefined, options),
  /** List the providers with their failures, controls, share of the traffic and health by hour, filtered and sorted. */
  listProviders: (
    input?: LiveListProvidersInput,
    options?: CallOptions
  ): Paged<LiveListProvidersPage, LiveProvider> =>
    connection.list<LiveProvider, LiveListProvidersPage>(
      "GET /api/v1/signalbox/providers",
      input,
      options
    ),
  /** List the models with their prices, failures, share of the traffic and health by hour, filtered and sorted. */
  listModels: (
    input?: LiveListModelsInput,
    options?: CallOptions
  ): Paged<LiveListModelsPage, LiveModel> =>
    connection.list<LiveModel, LiveListModelsPage>("GET /api/v1/signalbox/models", input, options),
  /** Watch the endpoints as server-sent events. The first event has the endpoints of the page, each later one only those that have changed or come onto it, maybe none, and `order` when the page has others or another order. The stream ends when the instance closes. */
  watchEndpoints: (input?: LiveWatchEndpointsInput, options?: CallOptions): AsyncIterable<Live> =>
    connection.stream("GET /api/v1/signalbox/endpoints/events", input, undefined, options)
})
