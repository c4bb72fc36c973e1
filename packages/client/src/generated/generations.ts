/** Generations: the operations of the group `generations`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"
import type { Preferences } from "./types/Preferences.ts"

export interface Generation {
  readonly api: string | null
  readonly api_type: string | null
  readonly app_id: number | null
  readonly cache_discount: number | null
  readonly cancelled: boolean | null
  readonly created_at: string
  readonly data_region: string
  readonly external_user: string | null
  readonly finish_reason: string | null
  readonly generation_time: number | null
  readonly http_referer: string | null
  readonly id: string
  readonly is_byok: boolean
  readonly latency: number | null
  readonly model: string
  readonly moderation_latency: number | null
  readonly native_finish_reason: string | null
  readonly native_tokens_cached: number | null
  readonly native_tokens_completion: number | null
  readonly native_tokens_completion_images: number | null
  readonly native_tokens_prompt: number | null
  readonly native_tokens_reasoning: number | null
  readonly num_fetches: number | null
  readonly num_input_audio_prompt: number | null
  readonly num_media_completion: number | null
  readonly num_media_prompt: number | null
  readonly num_search_results: number | null
  readonly origin: string
  readonly preset_id: string | null
  readonly provider_name: string | null
  readonly provider_responses: ReadonlyArray<{
    readonly endpoint_id: string
    readonly is_byok: boolean
    readonly latency: number
    readonly provider_name: string
    readonly status: number | null
  }> | null
  readonly response_cache_source_id: string | null
  readonly router: string | null
  readonly service_tier: string | null
  readonly session_id: string | null
  readonly streamed: boolean | null
  readonly tokens_completion: number | null
  readonly tokens_prompt: number | null
  readonly total_cost: number
  readonly upstream_id: string | null
  readonly upstream_inference_cost: number | null
  readonly upstream_model: string | null
  readonly usage: number
  readonly user_agent: string | null
  readonly web_search_engine: string | null
  readonly workspace_id: string | null
}

export interface GenerationFeedback {
  readonly generation_id: string
  readonly category:
    | "latency"
    | "incoherence"
    | "incorrect_response"
    | "formatting"
    | "billing"
    | "api_error"
    | "other"
  readonly comment: string | null
  readonly created_at: string
  readonly given_by: {
    readonly key_hash: string | null
    readonly user_id: string | null
  }
  readonly workspace_id: string
  readonly operation: string
  readonly model: string
  readonly provider: string | null
  readonly endpoint: string | null
}

export interface GenerationList {
  readonly id: string
  readonly created_at: string
  readonly operation: string
  readonly workspace_id: string
  readonly key_hash: string | null
  readonly user: string | null
  readonly external_user: string | null
  readonly tags: Readonly<Record<string, string>>
  readonly session_id: string | null
  readonly preset_id: string | null
  readonly request_id: string | null
  readonly requested_model: string
  readonly models: ReadonlyArray<string>
  readonly resolved_models: ReadonlyArray<string> | null
  readonly preferences: Readonly<Record<string, unknown>> | null
  readonly omitted_preferences: ReadonlyArray<string>
  readonly constraints: ReadonlyArray<{
    readonly source: string
    readonly rules: ReadonlyArray<string>
  }>
  readonly limits: ReadonlyArray<{
    readonly kind: string
    readonly name: string | null
    readonly interval: string
  }>
  readonly model: string | null
  readonly provider_name: string | null
  readonly outcome: string
  readonly streamed: boolean
  readonly cache: GenerationCache | null
  readonly latency: number
  readonly queue_wait: number
  readonly attempt_count: number
  readonly usage: GenerationUsage | null
  readonly cost: number | null
  readonly upstream_inference_cost: number | null
  readonly is_byok: boolean
}

export interface GenerationCache {
  readonly status: "hit" | "miss"
  readonly source_id: string | null
  readonly saved: number | null
  readonly match: "exact" | "semantic" | null
}

export interface GenerationUsage {
  readonly tokens_prompt: number
  readonly tokens_completion: number
  readonly tokens_cached: number | null
  readonly tokens_cache_write: number | null
  readonly tokens_reasoning: number | null
  readonly images: number | null
  readonly web_searches: number | null
  readonly characters: number | null
  readonly audio_seconds: number | null
  readonly output_images: number | null
}

export interface RecordGeneration {
  readonly id: string
  readonly created_at: string
  readonly operation: string
  readonly workspace_id: string
  readonly key_hash: string | null
  readonly user: string | null
  readonly external_user: string | null
  readonly tags: Readonly<Record<string, string>>
  readonly session_id: string | null
  readonly preset_id: string | null
  readonly request_id: string | null
  readonly requested_model: string
  readonly models: ReadonlyArray<string>
  readonly resolved_models: ReadonlyArray<string> | null
  readonly preferences: Readonly<Record<string, unknown>> | null
  readonly omitted_preferences: ReadonlyArray<string>
  readonly constraints: ReadonlyArray<{
    readonly source: string
    readonly rules: ReadonlyArray<string>
  }>
  readonly limits: ReadonlyArray<{
    readonly kind: string
    readonly name: string | null
    readonly interval: string
  }>
  readonly model: string | null
  readonly provider_name: string | null
  readonly outcome: string
  readonly streamed: boolean
  readonly cache: GenerationCache | null
  readonly latency: number
  readonly queue_wait: number
  readonly attempt_count: number
  readonly usage: GenerationUsage | null
  readonly cost: number | null
  readonly upstream_inference_cost: number | null
  readonly is_byok: boolean
  readonly exceeded_limit: {
    readonly kind: string
    readonly name: string | null
    readonly interval: string
    readonly limit_usd: number
    readonly required_usd: number
    readonly available_usd: number
  } | null
  readonly api: string | null
  readonly attempts: ReadonlyArray<{
    readonly endpoint_id: string
    readonly provider_name: string
    readonly outcome: string
    readonly status: number | null
    readonly latency: number
    readonly queue_wait: number
    readonly connection_wait: number
    readonly time_to_first_token: number | null
    readonly hedge: boolean
    readonly lost: boolean
    readonly credential_id: string | null
    readonly dropped_parameters: ReadonlyArray<string>
    readonly is_estimated: boolean
    readonly implausible_report: {
      readonly what: string
      readonly reported: number
      readonly at_most: number
      readonly usage: GenerationUsage | null
    } | null
    readonly usage: GenerationUsage | null
    readonly cost: number | null
    readonly upstream_inference_cost: number | null
    readonly is_byok: boolean
  }>
  readonly rejected: ReadonlyArray<GenerationRejected>
  readonly demoted: ReadonlyArray<GenerationRejected>
  readonly configuration_version: number
  readonly strategy: string | null
  readonly affinity: {
    readonly by: "session_id" | "prompt_cache_key" | "opener"
    readonly did: "placed" | "kept" | "moved" | "off"
  } | null
  readonly finish_reason: string | null
  readonly native_finish_reason: string | null
  readonly service_tier: string | null
  readonly upstream_id: string | null
  readonly upstream_model: string | null
  readonly experiment: {
    readonly id: string
    readonly arm: "canary" | "control"
  } | null
  readonly filters: ReadonlyArray<{
    readonly guardrail: string
    readonly filter: string
    readonly kind?: string
    readonly action: "block" | "redact" | "flag"
    readonly path: string
    readonly count: number
  }> | null
  readonly escalation: {
    readonly to: string
    readonly threshold: number | null
    readonly asked: number
    readonly questions: number
    readonly failed: string | null
  } | null
  readonly method: string | null
  readonly label_mass: number | null
  readonly trace: Readonly<Record<string, unknown>> | null
  readonly replay_of: string | null
}

export interface GenerationRejected {
  readonly endpoint_id: string
  readonly credential_id: string | null
  readonly rule: string
  readonly source: string
  readonly wanted: string
  readonly found: string
}

export interface GenerationReplay {
  readonly replay_of: string
  readonly workspace_id: string
  readonly models: ReadonlyArray<string>
  readonly omitted_fields: ReadonlyArray<string>
  readonly is_redacted: boolean
  readonly endpoints: ReadonlyArray<{
    readonly endpoint_id: string
    readonly model: string
    readonly provider_name: string
    readonly estimated_cost: number | null
  }>
}

export interface GenerationsGetInput {
  /** Id of the generation, or the `x-request-id` of its response. */
  readonly id: string
}

export interface GenerationsGetOutput {
  readonly data: Generation
}

export interface GenerationsGetContentInput {
  /** Id of the generation, or the `x-request-id` of its response. */
  readonly id: string
}

export interface GenerationsGetContentOutput {
  readonly data: {
    readonly input:
      | {
          readonly messages: ReadonlyArray<unknown>
        }
      | {
          readonly prompt: string
        }
    readonly output: {
      readonly completion: string | null
      readonly reasoning: string | null
      readonly is_truncated?: true
    }
    readonly error: {
      readonly message: string | null
      readonly previous_errors: ReadonlyArray<{
        readonly code: number
        readonly message: string
        readonly provider_name: string | null
        readonly raw: string | null
      }>
      readonly provider_name: string | null
      readonly raw: string | null
      readonly status: number | null
    } | null
  }
}

export interface GenerationsSubmitFeedbackInput {
  readonly generation_id: string
  readonly category:
    | "latency"
    | "incoherence"
    | "incorrect_response"
    | "formatting"
    | "billing"
    | "api_error"
    | "other"
  readonly comment?: string
}

export interface GenerationsSubmitFeedbackOutput {
  readonly data: {
    readonly success: true
  }
}

export interface GenerationsListFeedbackInput {
  /** The `next_cursor` of the previous page. */
  readonly starting_after?: string
  /** Number of items to return. */
  readonly limit?: number
  /** Id of a generation. */
  readonly generation_id?: string
  /** What is wrong. */
  readonly category?:
    | "latency"
    | "incoherence"
    | "incorrect_response"
    | "formatting"
    | "billing"
    | "api_error"
    | "other"
}

export interface GenerationsListFeedbackPage {
  readonly data: ReadonlyArray<GenerationFeedback>
  readonly has_more: boolean
  readonly next_cursor?: string
}

export interface GenerationsListInput {
  /** Only requests that began then or later. */
  readonly from?: string
  /** Only requests that began before. */
  readonly to?: string
  /** Id of a workspace. */
  readonly workspace_id?: string
  /** Hash of an API key. */
  readonly key_hash?: string
  /** The acting user, whom the host authenticated or the key belongs to. */
  readonly user?: string
  /** The `user` of the request. */
  readonly external_user?: string
  /** A tag of the caller, such as `customer:acme`. */
  readonly tag?: string
  /** The `session_id` of the request. */
  readonly session_id?: string
  /** The `x-request-id` of the response. */
  readonly request_id?: string
  /** The model that answered, else the requested one. */
  readonly model?: string
  /** Name of a provider that answered or was tried, even if another one answered. */
  readonly provider?: string
  /** Id of an endpoint that was tried, even if another one answered. */
  readonly endpoint?: string
  /** What was asked of the model. */
  readonly operation?:
    | "decisions"
    | "videos"
    | "chat"
    | "embeddings"
    | "rerank"
    | "speech"
    | "transcriptions"
    | "images"
  /** Id of the preset that the request named. */
  readonly preset_id?: string
  /** `answered`, `failed`, or the kind of an error. */
  readonly outcome?: string
  /** Milliseconds of all attempts together, inclusive. */
  readonly min_latency?: number
  /** Milliseconds of all attempts together, inclusive. */
  readonly max_latency?: number
  /** USD, inclusive. */
  readonly min_cost?: number
  /** USD, inclusive. */
  readonly max_cost?: number
  /** Tokens of the prompt and the answer together, inclusive. */
  readonly min_tokens?: number
  /** Tokens of the prompt and the answer together, inclusive. */
  readonly max_tokens?: number
  /** The highest first, and unknown ones last. Needs `from`, and a time of at most 7 days. Default: the latest first. */
  readonly sort?: "latency" | "cost" | "tokens"
  /** The `next_cursor` of the previous page. */
  readonly starting_after?: string
  /** Number of items to return. */
  readonly limit?: number
}

export interface GenerationsListPage {
  readonly data: ReadonlyArray<GenerationList>
  readonly has_more: boolean
  readonly next_cursor?: string
}

export interface GenerationsGetRecordInput {
  readonly id: string
}

export interface GenerationsGetRecordOutput {
  readonly data: RecordGeneration
}

export interface GenerationsPreviewReplayInput {
  readonly id: string
  readonly model?: string | null
  readonly provider?: Preferences | null
}

export interface GenerationsPreviewReplayOutput {
  readonly data: GenerationReplay
}

export interface GenerationsReplayInput {
  readonly id: string
  readonly model?: string | null
  readonly provider?: Preferences | null
}

export interface GenerationsReplayOutput {
  readonly data: {
    readonly id: string
    readonly replay_of: string
    readonly workspace_id: string
    readonly models: ReadonlyArray<string>
    readonly omitted_fields: ReadonlyArray<string>
    readonly is_redacted: boolean
    readonly model: string
    readonly provider_name: string | null
    readonly cost: number | null
    readonly output: {
      readonly completion: string | null
      readonly reasoning: string | null
    }
  }
}

/** Generations. */
export const generations = (connection: Connection) => ({
  /** Get a generation by its id or that of its request, from the key's workspace, or with a management key, from the account. */
  get: (input: GenerationsGetInput, options?: CallOptions): Promise<GenerationsGetOutput> =>
    connection.call("GET /api/v1/generation", input, options),
  /** Get the prompt and the answer of a generation, where they are kept: of the caller's own requests, or with a management key, of the account. */
  getContent: (
    input: GenerationsGetContentInput,
    options?: CallOptions
  ): Promise<GenerationsGetContentOutput> =>
    connection.call("GET /api/v1/generation/content", input, options),
  /** Say what is wrong with an answer. Once for each category; again replaces the comment. */
  submitFeedback: (
    input: GenerationsSubmitFeedbackInput,
    options?: CallOptions
  ): Promise<GenerationsSubmitFeedbackOutput> =>
    connection.call("POST /api/v1/generation/feedback", input, options),
  /** List the feedback on generations of the account, newest first. */
  listFeedback: (
    input?: GenerationsListFeedbackInput,
    options?: CallOptions
  ): Paged<GenerationsListFeedbackPage, GenerationFeedback> =>
    connection.list<GenerationFeedback, GenerationsListFeedbackPage>(
      "GET /api/v1/signalbox/feedback",
      input,
      options
    ),
  /** List the generations of the account, filtered and sorted. */
  list: (
    input?: GenerationsListInput,
    options?: CallOptions
  ): Paged<GenerationsListPage, GenerationList> =>
    connection.list<GenerationList, GenerationsListPage>(
      "GET /api/v1/signalbox/generations",
      input,
      options
    ),
  /** Get the whole record of a generation: attempts, rejected and demoted endpoints, and costs. */
  getRecord: (
    input: GenerationsGetRecordInput,
    options?: CallOptions
  ): Promise<GenerationsGetRecordOutput> =>
    connection.call("GET /api/v1/signalbox/generations/:id", input, options),
  /** Preview where a replay of a chat or a Decision would go and what it would cost, without running it. */
  previewReplay: (
    input: GenerationsPreviewReplayInput,
    options?: CallOptions
  ): Promise<GenerationsPreviewReplayOutput> =>
    connection.call("POST /api/v1/signalbox/generations/:id/replay/preview", input, options),
  /** Run a chat or a Decision again from its kept content, on its models or on others. The restrictions, content filters and limits of its workspace hold. The caller is billed as for any request, and the record of the replay names the generation in `replay_of`. Replays neither read nor write cached answers. */
  replay: (
    input: GenerationsReplayInput,
    options?: CallOptions
  ): Promise<GenerationsReplayOutput> =>
    connection.call("POST /api/v1/signalbox/generations/:id/replay", input, options)
})
