/** The request body of OpenAI's Responses API: https://platform.openai.com/docs/api-reference/responses/create. */
import type { Preferences } from "./Preferences.ts"
import type {
  ResponsesCustomToolCall,
  ResponsesFunctionCall,
  ResponsesOutputMessage,
  ResponsesReasoningItem
} from "./ResponsesOutputItem.ts"
import type { ServerFields } from "./ChatParameters.ts"
import type { Trace } from "./Trace.ts"

/** How much the model thinks, and what of it is returned. */
export interface ResponsesReasoning {
  readonly effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null
  /** Absent: no reasoning can be read in the response. */
  readonly summary?: "auto" | "concise" | "detailed" | null
  /** The maximum number of reasoning tokens. */
  readonly max_tokens?: number | null
  readonly enabled?: boolean | null
}

/** The form of the answer. */
export type ResponsesFormat =
  | { readonly type: "text" }
  | { readonly type: "json_object" }
  | {
      readonly type: "json_schema"
      readonly name: string
      readonly schema: Readonly<Record<string, unknown>>
      readonly description?: string
      readonly strict?: boolean | null
    }

/**
 * A request of the Responses API: a misspelt field is a type error. In the HTTP API, the entries of `extra` are
 * top-level fields.
 *
 * ```ts
 * const request = {
 *   model: "openai/gpt-5-mini",
 *   instructions: "You keep a lighthouse.",
 *   input: "Is it calm at sea?"
 * } satisfies ResponsesRequest
 * ```
 */
export interface ResponsesRequest extends ServerFields {
  /** A message of the user, or the conversation so far. */
  readonly input: string | ReadonlyArray<ResponsesInputItem>
  /** Said to the model before the input. */
  readonly instructions?: string | null
  /** Default: the first of `models`, else the workspace's `default_text_model`. */
  readonly model?: string | null
  /** The models to fall back to, in order. */
  readonly models?: ReadonlyArray<string> | null
  readonly provider?: Preferences | null
  /** The maximum length of the answer in tokens, reasoning included. */
  readonly max_output_tokens?: number | null
  readonly temperature?: number | null
  readonly top_p?: number | null
  readonly top_k?: number | null
  readonly frequency_penalty?: number | null
  readonly presence_penalty?: number | null
  /** 0 to 20, with `message.output_text.logprobs` in `include`. */
  readonly top_logprobs?: number | null
  readonly tools?: ReadonlyArray<ResponsesTool> | null
  readonly tool_choice?: ResponsesToolChoice | null
  readonly parallel_tool_calls?: boolean | null
  /** The maximum number of calls that providers with this API run themselves. */
  readonly max_tool_calls?: number | null
  readonly text?: {
    readonly format?: ResponsesFormat
    readonly verbosity?: "low" | "medium" | "high" | null
  } | null
  readonly reasoning?: ResponsesReasoning | null
  /** `reasoning.encrypted_content`: reasoning that can be sent back. `message.output_text.logprobs`: probabilities. */
  readonly include?: ReadonlyArray<string> | null
  readonly truncation?: "auto" | "disabled" | null
  /** Returned with the response: at most 16 texts of 512 characters, with keys of 64. */
  readonly metadata?: Readonly<Record<string, string>> | null
  /** Stands in for a missing `session_id`. */
  readonly prompt_cache_key?: string | null
  readonly safety_identifier?: string | null
  readonly service_tier?: string | null
  /** Responses are not stored. */
  readonly store?: false | null
  /** For records and spans, at most 256 characters; not sent to providers. */
  readonly session_id?: string | null
  readonly trace?: Trace | null
  /** The caller's own id of its end user, at most 256 characters; not sent to providers. */
  readonly user?: string | null
  /** Provider-specific parameters by name; endpoints list them in `otherParameters`. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** A part of a message or of the output of a call. Files of a provider (`file_id`) can only be read there. */
export type ResponsesInputPart =
  | { readonly type: "input_text"; readonly text: string }
  | {
      readonly type: "input_image"
      /** The URL of a public host, or a `data:` URL. */
      readonly image_url?: string | null
      readonly file_id?: string | null
      readonly detail?: "auto" | "high" | "low" | "original" | null
    }
  | {
      readonly type: "input_file"
      readonly filename?: string
      /** A `data:` URL, or base64. */
      readonly file_data?: string
      readonly file_url?: string
      readonly file_id?: string | null
    }
  | {
      readonly type: "input_audio"
      readonly input_audio: { readonly data: string; readonly format: string }
    }
  | { readonly type: "input_video"; readonly video_url: string }

/** A message; `system` and `developer` may stand anywhere. */
export interface ResponsesInputMessage {
  readonly type?: "message"
  readonly role: "assistant" | "developer" | "system" | "user"
  readonly content: string | ReadonlyArray<ResponsesInputPart>
  readonly id?: string
  readonly status?: string
  /** For messages of the assistant: whether the message is a comment before the answer. */
  readonly phase?: "commentary" | "final_answer" | null
}

/** The result of a call. */
export interface ResponsesCallOutput {
  readonly type: "custom_tool_call_output" | "function_call_output"
  readonly call_id: string
  readonly output: string | ReadonlyArray<ResponsesInputPart>
  readonly id?: string
  readonly status?: string
}

/**
 * An item of the input. The items of an answer are valid as they are; items of other types need a provider with this
 * API.
 */
export type ResponsesInputItem =
  | ResponsesCallOutput
  | ResponsesInputMessage
  | InputForm<ResponsesCustomToolCall>
  | InputForm<ResponsesFunctionCall>
  | InputForm<ResponsesOutputMessage>
  | InputForm<ResponsesReasoningItem>
  | { readonly type: string & {}; readonly [field: string]: unknown }

/** Ids and states of items are optional, and are not looked up. */
type InputForm<Item extends { readonly id: string; readonly status?: string }> = Omit<
  Item,
  "id" | "status"
> &
  Partial<Pick<Item, "id" | "status">>

/** A function of the caller. */
export interface ResponsesFunction {
  readonly type: "function"
  readonly name: string
  readonly description?: string | null
  /** A JSON schema. */
  readonly parameters?: Readonly<Record<string, unknown>> | null
  /** Whether arguments follow the schema exactly; absent: if the schema allows. */
  readonly strict?: boolean | null
}

/** A group of functions; their calls name it. */
export interface ResponsesNamespace {
  readonly type: "namespace"
  readonly name: string
  readonly description?: string
  readonly tools: ReadonlyArray<ResponsesFunction>
}

/** A tool of the caller whose input is free text. */
export interface ResponsesCustomTool {
  readonly type: "custom"
  readonly name: string
  readonly description?: string
  /** Free text, or a grammar, which only providers with this API follow. */
  readonly format?: object
}

/** A tool that a provider with this API runs itself, such as `web_search`; other providers are not sent it. */
export interface ResponsesHostedTool {
  readonly type: string & {}
  readonly [field: string]: unknown
}

/** A tool that the model may call. */
export type ResponsesTool =
  | ResponsesCustomTool
  | ResponsesFunction
  | ResponsesHostedTool
  | ResponsesNamespace

/** A choice of a provider's tool, such as `{ type: "web_search" }`, can be served only by providers with this API. */
export type ResponsesToolChoice =
  | "auto"
  | "none"
  | "required"
  | { readonly type: "custom" | "function"; readonly name: string }
  | {
      readonly type: "allowed_tools"
      readonly mode: "auto" | "required"
      readonly tools: ReadonlyArray<Readonly<Record<string, unknown>>>
    }
  | { readonly type: string & {} }
