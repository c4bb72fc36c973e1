/** Endpoints: the operations of the group `endpoints`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface Endpoint {
  readonly id: string
  readonly name: string
  readonly created: number
  readonly description: string
  readonly architecture: {
    readonly input_modalities: ReadonlyArray<string>
    readonly output_modalities: ReadonlyArray<string>
    readonly modality: string
    readonly tokenizer: string | null
    readonly instruct_type: string
  }
  readonly endpoints: ReadonlyArray<EndpointEndpoint>
}

export interface EndpointEndpoint {
  readonly name: string
  readonly model_id: string
  readonly model_name: string
  readonly provider_name: string
  readonly tag: string
  readonly context_length: number
  readonly max_prompt_tokens: number | null
  readonly max_completion_tokens: number | null
  readonly pricing: {
    readonly prompt: string
    readonly completion: string
    readonly request: string
    readonly image: string
    readonly audio?: string
    readonly image_token?: string
    readonly image_output?: string
    readonly audio_output?: string
    readonly input_audio_cache?: string
    readonly input_cache_read?: string
    readonly input_cache_write?: string
    readonly input_cache_write_1h?: string
    readonly internal_reasoning?: string
    readonly web_search?: string
    readonly character?: string
    readonly second?: string
    readonly discount?: number
    readonly overrides?: ReadonlyArray<{
      readonly min_prompt_tokens?: number
      readonly utc_days?: ReadonlyArray<string>
      readonly utc_start?: number
      readonly utc_end?: number
      readonly prompt?: string
      readonly completion?: string
      readonly audio?: string
      readonly input_audio_cache?: string
      readonly input_cache_read?: string
      readonly input_cache_write?: string
      readonly input_cache_write_1h?: string
    }>
  }
  readonly quantization:
    | "int4"
    | "int8"
    | "fp4"
    | "mxfp4"
    | "nvfp4"
    | "fp6"
    | "fp8"
    | "mxfp8"
    | "fp16"
    | "bf16"
    | "fp32"
    | "unknown"
  readonly supported_parameters: ReadonlyArray<string>
  readonly supports_implicit_caching: boolean
  readonly supports_tool_choice: {
    readonly auto: boolean
    readonly function: boolean
    readonly none: boolean
    readonly required: boolean
  }
  readonly supports_voice_cloning: boolean
  readonly status: 0 | -1 | -2 | -3 | -5 | -10
  readonly latency_last_30m: EndpointLatencyLast30m | null
  readonly throughput_last_30m: EndpointLatencyLast30m | null
  readonly uptime_last_5m: number | null
  readonly uptime_last_30m: number | null
  readonly uptime_last_1d: number | null
}

export interface EndpointLatencyLast30m {
  readonly p50: number
  readonly p75: number
  readonly p90: number
  readonly p99: number
}

export interface EndpointsListInput {
  readonly author: string
  readonly slug: string
}

export interface EndpointsListOutput {
  readonly data: Endpoint
}

export interface EndpointsListZdrOutput {
  readonly data: ReadonlyArray<EndpointEndpoint>
}

/** Endpoints. */
export const endpoints = (connection: Connection) => ({
  /** List the endpoints of a model with prices, limits, performance and uptime. */
  list: (input: EndpointsListInput, options?: CallOptions): Promise<EndpointsListOutput> =>
    connection.call("GET /api/v1/models/:author/:slug/endpoints", input, options),
  /** List the endpoints with zero data retention. */
  listZdr: (options?: CallOptions): Promise<EndpointsListZdrOutput> =>
    connection.call("GET /api/v1/endpoints/zdr", undefined, options)
})
