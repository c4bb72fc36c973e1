/** The parameters of a model that a chat may carry, by their names in OpenAI's dialect. */
import type { CacheControl, TextPart } from "./ChatRequestMessage.ts"

/** A function of the caller's that the model may ask to be called. */
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

/** A tool that a provider runs by itself, such as `openrouter:web_search`. */
export interface ServerTool {
  readonly type: `${string}:${string}`
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** A tool of the caller's that takes free text, where a function takes JSON. */
export interface CustomTool {
  readonly type: "custom"
  readonly custom: {
    readonly name: string
    readonly description?: string
    /** Free text, or a grammar that the input follows. */
    readonly format?: object
  }
}

/** A tool that the model may call: a function, a custom tool or one of the provider's. */
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

/** The form of the answer, such as `{ type: "json_object" }`. */
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

/** How hard the model thinks, such as `"low"`. */
export type ReasoningEffort = "high" | "low" | "max" | "medium" | "minimal" | "none" | "xhigh"

/** How much the model reasons, such as `{ effort: "low" }`. */
export interface Reasoning {
  readonly effort?: ReasoningEffort | null
  /** The most tokens it may think. */
  readonly max_tokens?: number | null
  readonly enabled?: boolean | null
  /** Whether it is left out of the answer. */
  readonly exclude?: boolean | null
  readonly summary?: "auto" | "concise" | "detailed" | null
}

/** Null is as if the key were not there. A provider's own parameters go into `ChatRequest.extra`. */
export interface ChatParameters {
  readonly audio?: Readonly<Record<string, unknown>> | null
  readonly cache_control?: CacheControl | null
  readonly frequency_penalty?: number | null
  readonly function_call?: unknown
  readonly functions?: ReadonlyArray<unknown> | null
  readonly image_config?: Readonly<Record<string, unknown>> | null
  readonly include_reasoning?: boolean | null
  /** From token ids to -100..100. */
  readonly logit_bias?: Readonly<Record<string, number>> | null
  readonly logprobs?: boolean | null
  /** The most tokens the answer may have; of this and `max_tokens` the smaller one counts. */
  readonly max_completion_tokens?: number | null
  readonly max_tokens?: number | null
  readonly min_p?: number | null
  readonly modalities?: ReadonlyArray<"audio" | "image" | "text"> | null
  /** How many answers, 1 to 128. */
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
  /** `flex` and `priority` ask for endpoints of that tier; other values are the model's to heed. */
  readonly service_tier?: "auto" | "default" | "flex" | "priority" | "scale" | null
  readonly stop?: string | ReadonlyArray<string> | null
  readonly store?: boolean | null
  readonly structured_outputs?: boolean | null
  readonly temperature?: number | null
  /** How Claude and others think, in Anthropic's words. */
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
