/** The model parameters of a chat, named as in OpenAI's dialect. */
import type { CacheControl, TextPart } from "./ChatRequestMessage.ts"

/** A function of the caller that the model may call. */
export interface FunctionTool {
  readonly type: "function"
  readonly function: {
    readonly name: string
    readonly description?: string
    /** A JSON schema. */
    readonly parameters?: Readonly<Record<string, unknown>>
    readonly strict?: boolean | null
  }
  readonly cache_control?: CacheControl
}

/** A tool that the provider runs itself, such as `openrouter:web_search`. */
export interface ServerTool {
  readonly type: `${string}:${string}`
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** A tool of the caller whose input is free text instead of JSON. */
export interface CustomTool {
  readonly type: "custom"
  readonly custom: {
    readonly name: string
    readonly description?: string
    /** Free text, or a grammar of the input. */
    readonly format?: object
  }
}

/** A tool that the model may call: a function, a custom tool or a tool of the provider. */
export type ChatTool = CustomTool | FunctionTool | ServerTool

/** Which tool the model calls, such as `"auto"`. */
export type ToolChoice =
  | "auto"
  | "none"
  | "required"
  | { readonly type: "function"; readonly function: { readonly name: string } }
  | { readonly type: "custom"; readonly custom: { readonly name: string } }
  | {
      readonly type: "allowed_tools"
      readonly allowed_tools: {
        readonly mode: "auto" | "required"
        readonly tools: ReadonlyArray<Readonly<Record<string, unknown>>>
      }
    }

/** The format of the answer, such as `{ type: "json_object" }`. */
export type ResponseFormat =
  | { readonly type: "json_object" | "text" }
  | { readonly type: "grammar"; readonly grammar: string }
  | {
      readonly type: "json_schema"
      readonly json_schema: {
        readonly name: string
        readonly description?: string
        readonly schema?: Readonly<Record<string, unknown>>
        readonly strict?: boolean | null
      }
    }

/** How much the model reasons, such as `"low"`. */
export type ReasoningEffort = "high" | "low" | "max" | "medium" | "minimal" | "none" | "xhigh"

/** How much the model reasons, such as `{ effort: "low" }`. */
export interface Reasoning {
  readonly effort?: ReasoningEffort | null
  /** The maximum number of reasoning tokens. */
  readonly max_tokens?: number | null
  readonly enabled?: boolean | null
  /** Whether the reasoning is left out of the answer. */
  readonly exclude?: boolean | null
  readonly summary?: "auto" | "concise" | "detailed" | null
}

/**
 * Fields of OpenRouter's API for its server. The router does some itself, passes the others to endpoints whose server knows them,
 * and names them as ignored elsewhere: https://openrouter.ai/docs/api-reference/chat-completion.
 */
export interface ServerFields {
  /** Such as `{ id: "response-healing" }`; with `enabled: false` one is turned off. */
  readonly plugins?: ReadonlyArray<{
    readonly id: string
    readonly enabled?: boolean
    readonly [setting: string]: unknown
  }> | null
  /** The older name of the plugin `context-compression` is `middle-out`. */
  readonly transforms?: ReadonlyArray<string> | null
  /** `sort` ranks the endpoints of all models together. */
  readonly route?: "fallback" | "sort" | null
  readonly stop_server_tools_when?: ReadonlyArray<Readonly<Record<string, unknown>>> | null
}

/** Parameters of the model. Null counts as absent. Provider-specific parameters go into `ChatRequest.extra`. */
export interface ChatParameters {
  readonly audio?: Readonly<Record<string, unknown>> | null
  readonly cache_control?: CacheControl | null
  readonly frequency_penalty?: number | null
  readonly function_call?: "none" | "auto" | { readonly name: string } | null
  readonly functions?: ReadonlyArray<FunctionTool["function"]> | null
  readonly image_config?: Readonly<Record<string, unknown>> | null
  readonly include_reasoning?: boolean | null
  /** From token ids to biases of -100..100. */
  readonly logit_bias?: Readonly<Record<string, number>> | null
  readonly logprobs?: boolean | null
  /** The maximum length of the answer in tokens; of this and `max_tokens` the smaller one applies. */
  readonly max_completion_tokens?: number | null
  readonly max_tokens?: number | null
  readonly min_p?: number | null
  readonly modalities?: ReadonlyArray<"audio" | "image" | "text"> | null
  /** The number of answers, 1 to 128. */
  readonly n?: number | null
  readonly parallel_tool_calls?: boolean | null
  readonly prediction?: {
    readonly type: "content"
    readonly content: string | ReadonlyArray<TextPart>
  } | null
  readonly presence_penalty?: number | null
  readonly prompt_cache_key?: string | null
  readonly prompt_cache_options?: Readonly<Record<string, unknown>> | null
  readonly prompt_cache_retention?: string | null
  readonly reasoning?: Reasoning | null
  readonly reasoning_effort?: ReasoningEffort | null
  readonly repetition_penalty?: number | null
  readonly response_format?: ResponseFormat | null
  readonly safety_identifier?: string | null
  readonly seed?: number | null
  /** `flex` and `priority` select endpoints of that tier; other values are passed through to the model. */
  readonly service_tier?: "auto" | "default" | "flex" | "priority" | "scale" | null
  readonly stop?: string | ReadonlyArray<string> | null
  readonly store?: boolean | null
  readonly structured_outputs?: boolean | null
  readonly temperature?: number | null
  /** Reasoning in the form of Anthropic's API. */
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number } | null
  readonly tool_choice?: ToolChoice | null
  readonly tools?: ReadonlyArray<ChatTool> | null
  readonly top_a?: number | null
  readonly top_k?: number | null
  readonly top_logprobs?: number | null
  readonly top_p?: number | null
  readonly verbosity?: "high" | "low" | "max" | "medium" | null
  readonly web_search_options?: Readonly<Record<string, unknown>> | null
}
