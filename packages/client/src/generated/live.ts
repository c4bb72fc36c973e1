/** Live endpoints: the operations of the group `live`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface LiveEndpoint {
  readonly endpoint_id: string
  readonly model: string
  readonly provider: string
  readonly breaker: {
    readonly state: "closed" | "open" | "ramping" | "backing_off"
    readonly since: string | null
    readonly cause: string | null
    readonly next_probe_at: string | null
    readonly share: number | null
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
  readonly figures: {
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
    readonly latency: {
      readonly p50: number
      readonly p90: number
      readonly p99: number
    } | null
    readonly time_to_first_token: {
      readonly p50: number
      readonly p90: number
      readonly p99: number
    } | null
  }
  readonly points: ReadonlyArray<{
    readonly at: string
    readonly requests: number
    readonly errors: number
    readonly latency: number | null
  }>
}

export interface LiveListEndpointsOutput {
  readonly data: {
    readonly at: string
    readonly endpoints: ReadonlyArray<LiveEndpoint>
  }
}

export interface LiveWatchEndpointsInput {
  /** Seconds between two events. */
  readonly interval?: number
  /** Number of events after which the stream ends. Default: it does not end. */
  readonly count?: number
}

export interface LiveWatchEndpointsEvent {
  readonly at: string
  readonly endpoints: ReadonlyArray<LiveEndpoint>
}

/** Live endpoints. */
export const live = (connection: Connection) => ({
  /** List the endpoints with their breakers, speed and recent figures. */
  listEndpoints: (options?: CallOptions): Promise<LiveListEndpointsOutput> =>
    connection.call("GET /api/v1/signalbox/endpoints", undefined, options),
  /** Watch the endpoints as server-sent events. The first event has all endpoints, each later one only those that have changed, maybe none. The stream ends when the instance closes. */
  watchEndpoints: (
    input?: LiveWatchEndpointsInput,
    options?: CallOptions
  ): AsyncIterable<LiveWatchEndpointsEvent> =>
    connection.stream("GET /api/v1/signalbox/endpoints/events", input, undefined, options)
})
