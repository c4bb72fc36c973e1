/** What a call of the AI SDK may say to Signalbox under `providerOptions.signalbox`. */
import type { JSONObject, JSONValue } from "@ai-sdk/provider"
import type { CallerConfig } from "@signalbox/core"
import type {
  ChatParameters,
  ChatRequest,
  DecisionRequest,
  ImageRequest
} from "@signalbox/core/contract"

/** The same in JSON: the AI SDK takes neither interfaces nor values of unknown types. */
type Json<Value> = unknown extends Value
  ? JSONValue
  : Value extends boolean | number | string | null | undefined
    ? Value
    : Value extends ReadonlyArray<infer Item>
      ? ReadonlyArray<Json<Item>>
      : { readonly [Name in keyof Value]: Json<Value[Name]> }

/**
 * Who makes the call: whose keys, limits, guardrails and records apply. The fields of `CallerConfig` in JSON.
 *
 * ```ts
 * const caller: SignalboxCaller = { account: "acme", user: "ada", limit: 5, limitReset: "daily" }
 * ```
 */
export type SignalboxCaller = Json<Omit<CallerConfig, "limit">> & {
  /** USD it may spend between two resets; default: no limit besides the credits of the account. */
  readonly limit?: number | null
}

type Preferences = Exclude<ChatRequest["provider"], null | undefined>

/** What every call may say. */
type CommonOptions = {
  /** Default: the caller of the provider. */
  readonly caller?: SignalboxCaller
  /** Routing preferences, such as `{ order: ["anthropic"], max_price: { prompt: 1 } }`. */
  readonly provider?: Json<Preferences> | null
  /** For records and spans, at most 256 characters; not sent to providers. */
  readonly session_id?: string | null
  /** Names and links the request in records and spans. */
  readonly trace?: JSONObject
  /** The caller's own id of its end user, at most 256 characters; not sent to providers. */
  readonly user?: string | null
}

/** Parameters of chats that the AI SDK has no setting for. */
type ChatOptionParameter =
  | "cache_control"
  | "image_config"
  | "include_reasoning"
  | "logit_bias"
  | "logprobs"
  | "min_p"
  | "modalities"
  | "parallel_tool_calls"
  | "prediction"
  | "prompt_cache_key"
  | "prompt_cache_options"
  | "prompt_cache_retention"
  | "reasoning"
  | "repetition_penalty"
  | "safety_identifier"
  | "service_tier"
  | "store"
  | "structured_outputs"
  | "thinking"
  | "top_a"
  | "top_logprobs"
  | "verbosity"
  | "web_search_options"

/** `providerOptions.signalbox` of a language model: routing, labels, and parameters that the AI SDK has no setting for. */
export type SignalboxChatOptions = CommonOptions &
  Json<Pick<ChatParameters, ChatOptionParameter>> & {
    /** The models to fall back to, in order. */
    readonly models?: ReadonlyArray<string> | null
    /** Whether objects must follow their schema exactly; default: true. */
    readonly strictJsonSchema?: boolean
    /** Provider-specific parameters by name; endpoints list them in `otherParameters`. */
    readonly extra?: JSONObject
  }

/** `providerOptions.signalbox` of an embedding model. */
export type SignalboxEmbeddingOptions = CommonOptions & {
  /** What the vectors are for, such as `search_query` or `search_document`. */
  readonly input_type?: string | null
}

/** `providerOptions.signalbox` of a reranking model. */
export type SignalboxRerankingOptions = CommonOptions

/** `providerOptions.signalbox` of a speech model and of a transcription model: also the fields of their requests. */
export type SignalboxAudioOptions = CommonOptions & {
  /** The language of a recording, such as `de`. */
  readonly language?: string | null
  /** `verbose_json` adds the language and segments to a transcript. */
  readonly response_format?: string | null
  readonly temperature?: number | null
}

/** `providerOptions.signalbox` of an image model: routing, labels, and parameters that the AI SDK has no setting for. */
export type SignalboxImageOptions = Omit<CommonOptions, "provider"> &
  Json<
    Pick<
      ImageRequest,
      | "background"
      | "extra"
      | "output_compression"
      | "output_format"
      | "provider"
      | "quality"
      | "resolution"
    >
  >

/** `providerOptions.signalbox` of a decision model. */
export type SignalboxDecisionOptions = CommonOptions &
  Json<Pick<DecisionRequest, "calibration" | "escalate" | "models">>

type Names<Options> = Readonly<Record<keyof Options, true>>

const commonNames: Names<CommonOptions> = {
  caller: true,
  provider: true,
  session_id: true,
  trace: true,
  user: true
}

export const chatOptionNames: Names<SignalboxChatOptions> = {
  ...commonNames,
  cache_control: true,
  extra: true,
  image_config: true,
  include_reasoning: true,
  logit_bias: true,
  logprobs: true,
  min_p: true,
  modalities: true,
  models: true,
  parallel_tool_calls: true,
  prediction: true,
  prompt_cache_key: true,
  prompt_cache_options: true,
  prompt_cache_retention: true,
  reasoning: true,
  repetition_penalty: true,
  safety_identifier: true,
  service_tier: true,
  store: true,
  strictJsonSchema: true,
  structured_outputs: true,
  thinking: true,
  top_a: true,
  top_logprobs: true,
  verbosity: true,
  web_search_options: true
}

export const embeddingOptionNames: Names<SignalboxEmbeddingOptions> = {
  ...commonNames,
  input_type: true
}

export const audioOptionNames: Names<SignalboxAudioOptions> = {
  ...commonNames,
  language: true,
  response_format: true,
  temperature: true
}

export const rerankingOptionNames: Names<SignalboxRerankingOptions> = commonNames

export const imageOptionNames: Names<SignalboxImageOptions> = {
  ...commonNames,
  background: true,
  extra: true,
  output_compression: true,
  output_format: true,
  quality: true,
  resolution: true
}

export const decisionOptionNames: Names<SignalboxDecisionOptions> = {
  ...commonNames,
  calibration: true,
  escalate: true,
  models: true
}
