/** Models: the operations of the group `models`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Model {
  readonly id: string
  readonly canonical_slug: string
  readonly name: string
  readonly description: string
  readonly created: number
  readonly context_length: number | null
  readonly architecture: {
    readonly input_modalities: ReadonlyArray<string>
    readonly output_modalities: ReadonlyArray<string>
    readonly modality: string
    readonly tokenizer: string
    readonly instruct_type: string
  }
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
  readonly top_provider: {
    readonly context_length?: number
    readonly max_completion_tokens?: number
    readonly is_moderated: boolean
  }
  readonly per_request_limits: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
  } | null
  readonly supported_parameters: ReadonlyArray<string>
  readonly default_parameters: {
    readonly temperature?: number | null
    readonly top_p?: number | null
    readonly top_k?: number | null
    readonly frequency_penalty?: number | null
    readonly presence_penalty?: number | null
    readonly repetition_penalty?: number | null
  } | null
  readonly supported_voices: ReadonlyArray<string> | null
  readonly knowledge_cutoff: string | null
  readonly expiration_date: string | null
  readonly hugging_face_id?: string | null
  readonly reasoning?: {
    readonly mandatory: boolean
    readonly default_enabled?: boolean
    readonly default_effort?: string | null
    readonly supported_efforts?: ReadonlyArray<string | null> | null
    readonly supports_max_tokens?: boolean
  }
  readonly benchmarks?: {
    readonly artificial_analysis?: {
      readonly intelligence_index: number | null
      readonly coding_index: number | null
      readonly agentic_index: number | null
    }
    readonly design_arena: ReadonlyArray<{
      readonly arena: string
      readonly category: string
      readonly elo: number
      readonly rank: number
      readonly win_rate: number
    }>
  }
  readonly alias_target?: {
    readonly name: string
    readonly slug: string
  }
  readonly links: {
    readonly details: string
  }
}

export interface ModelsListInput {
  /** Number of models to skip. Without `offset` and `limit`, all models are returned. */
  readonly offset?: number
  /** Number of models to return. Default: 500 with an offset. */
  readonly limit?: number
  /** Comma-separated output modalities. A model matches if it has one of them. Default: text. */
  readonly output_modalities?: string
  /** Use case of the model. */
  readonly category?:
    | "programming"
    | "roleplay"
    | "marketing"
    | "marketing/seo"
    | "technology"
    | "science"
    | "translation"
    | "legal"
    | "finance"
    | "health"
    | "trivia"
    | "academia"
  /** Comma-separated parameter names. A model matches if it supports all of them. */
  readonly supported_parameters?: string
  /** Comma-separated input modalities. A model matches if it has all of them. */
  readonly input_modalities?: string
  /** Sort order. Models without the value come last. Default: newest first. */
  readonly sort?:
    | "most-popular"
    | "newest"
    | "top-weekly"
    | "pricing-low-to-high"
    | "pricing-high-to-low"
    | "context-high-to-low"
    | "throughput-high-to-low"
    | "latency-low-to-high"
    | "intelligence-high-to-low"
    | "coding-high-to-low"
    | "agentic-high-to-low"
    | "design-arena-elo-high-to-low"
  /** Words that the name or slug must contain, in any order. */
  readonly q?: string
  /** Minimum context length in tokens. */
  readonly context?: number
  /** USD per million prompt tokens. */
  readonly min_price?: number
  /** USD per million prompt tokens. */
  readonly max_price?: number
  /** USD per million completion tokens. */
  readonly min_output_price?: number
  /** USD per million completion tokens. */
  readonly max_output_price?: number
  /** Model family or tokenizer. */
  readonly arch?: string
  /** Comma-separated author slugs. */
  readonly model_authors?: string
  /** Comma-separated provider names or slugs. */
  readonly providers?: string
  /** Filter by whether the author allows distillation. */
  readonly distillable?: boolean
  /** Only models that have an endpoint with zero data retention. */
  readonly zdr?: true
  /** Only models that have an endpoint in this region. */
  readonly region?: "eu" | "us"
  /** Days since creation. */
  readonly min_age_days?: number
  /** Days since creation. */
  readonly max_age_days?: number
  /** Artificial Analysis intelligence index. */
  readonly min_intelligence_index?: number
  /** Artificial Analysis intelligence index. */
  readonly max_intelligence_index?: number
  /** Artificial Analysis coding index. */
  readonly min_coding_index?: number
  /** Artificial Analysis coding index. */
  readonly max_coding_index?: number
  /** Artificial Analysis agentic index. */
  readonly min_agentic_index?: number
  /** Artificial Analysis agentic index. */
  readonly max_agentic_index?: number
  /** Share of successful tool calls, from 0 to 1. */
  readonly min_tool_success_rate?: number
  /** Share of successful tool calls, from 0 to 1. */
  readonly max_tool_success_rate?: number
}

export interface ModelsListPage {
  readonly data: ReadonlyArray<Model>
  readonly total_count: number
  readonly links: {
    readonly next: string | null
  }
}

export interface ModelsCountInput {
  /** Comma-separated output modalities. A model matches if it has one of them. Default: text. */
  readonly output_modalities?: string
}

export interface ModelsCountOutput {
  readonly data: {
    readonly count: number
  }
}

export interface ModelsListAccessibleInput {
  /** Number of models to skip. Without `offset` and `limit`, all models are returned. */
  readonly offset?: number
  /** Number of models to return. Default: 500 with an offset. */
  readonly limit?: number
  /** Comma-separated output modalities. A model matches if it has one of them. Default: text. */
  readonly output_modalities?: string
}

export interface ModelsListAccessiblePage {
  readonly data: ReadonlyArray<Model>
  readonly total_count: number
  readonly links: {
    readonly next: string | null
  }
}

export interface ModelsGetByIdInput {
  readonly id: string
}

export interface ModelsGetByIdOutput {
  readonly data: Model
}

export interface ModelsGetInput {
  readonly author: string
  readonly slug: string
}

export interface ModelsGetOutput {
  readonly data: Model
}

export interface ModelsListEmbeddingsInput {
  /** Number of models to skip. Default: 0. */
  readonly offset?: number
  /** Number of models to return. Default: 500. */
  readonly limit?: number
}

export interface ModelsListEmbeddingsPage {
  readonly data: ReadonlyArray<Model>
  readonly total_count: number
  readonly links: {
    readonly next: string | null
  }
}

/** Models. */
export const models = (connection: Connection) => ({
  /** List models, filtered and sorted. With the header `anthropic-version`, the list has the form of Anthropic's API, is paged by `limit` (default: 20), `after_id` and `before_id`, and errors have its envelope. */
  list: (input?: ModelsListInput, options?: CallOptions): Paged<ModelsListPage, Model> =>
    connection.list<Model, ModelsListPage>("GET /api/v1/models", input, options),
  /** Count models. */
  count: (input?: ModelsCountInput, options?: CallOptions): Promise<ModelsCountOutput> =>
    connection.call("GET /api/v1/models/count", input, options),
  /** List the models that the caller can use. */
  listAccessible: (
    input?: ModelsListAccessibleInput,
    options?: CallOptions
  ): Paged<ModelsListAccessiblePage, Model> =>
    connection.list<Model, ModelsListAccessiblePage>("GET /api/v1/models/user", input, options),
  /** Get a model by its percent-encoded slug, canonical slug or alias, such as `/api/v1/models/author%2Fslug`. With the header `anthropic-version`, it has the form of Anthropic's API. */
  getById: (input: ModelsGetByIdInput, options?: CallOptions): Promise<ModelsGetByIdOutput> =>
    connection.call("GET /api/v1/models/:id", input, options),
  /** Get a model by slug, canonical slug or alias. */
  get: (input: ModelsGetInput, options?: CallOptions): Promise<ModelsGetOutput> =>
    connection.call("GET /api/v1/model/:author/:slug", input, options),
  /** List the models that make embeddings. Needs no key. */
  listEmbeddings: (
    input?: ModelsListEmbeddingsInput,
    options?: CallOptions
  ): Paged<ModelsListEmbeddingsPage, Model> =>
    connection.list<Model, ModelsListEmbeddingsPage>(
      "GET /api/v1/embeddings/models",
      input,
      options
    )
})
