/** The response of the Responses API. */
import type {
  ResponsesFormat,
  ResponsesReasoning,
  ResponsesTool,
  ResponsesToolChoice
} from "./ResponsesRequest.ts"
import type { ResponsesOutputItem } from "./ResponsesOutputItem.ts"

/** Tokens, and the cost in USD. */
export interface ResponsesUsage {
  /** With those read from the cache and written to it. */
  readonly input_tokens: number
  readonly input_tokens_details: {
    readonly cached_tokens: number
    readonly cache_write_tokens?: number
    readonly audio_tokens?: number
  }
  readonly output_tokens: number
  readonly output_tokens_details: {
    readonly reasoning_tokens: number
    readonly audio_tokens?: number
    readonly image_tokens?: number
  }
  readonly total_tokens: number
  /** USD; omitted when a price is unknown. */
  readonly cost?: number
  /** Whether it ran on the account's own credential, which the provider bills. */
  readonly is_byok?: boolean
}

/** A response of the Responses API. Other fields of the provider are passed through untyped. */
export interface ResponseObject {
  /** `resp_` and the id of the generation without its `gen-`. */
  readonly id: string
  readonly object: "response"
  /** Seconds since the epoch. */
  readonly created_at: number
  readonly completed_at: number | null
  readonly status: "completed" | "failed" | "in_progress" | "incomplete"
  /** The catalog id of the model that answered. */
  readonly model: string
  /** In the order of the model; valid as input of the next request. */
  readonly output: ReadonlyArray<ResponsesOutputItem>
  readonly error: { readonly code: string; readonly message: string } | null
  readonly incomplete_details: {
    readonly reason: "content_filter" | "max_output_tokens" | (string & {})
  } | null
  readonly instructions: unknown
  readonly max_output_tokens: number | null
  readonly max_tool_calls: number | null
  readonly metadata: Readonly<Record<string, string>>
  readonly parallel_tool_calls: boolean
  readonly previous_response_id: string | null
  readonly prompt_cache_key: string | null
  readonly reasoning: Pick<ResponsesReasoning, "effort" | "summary"> | null
  readonly safety_identifier: string | null
  readonly service_tier: string | null
  readonly store: boolean
  readonly temperature: number
  readonly text: { readonly format?: ResponsesFormat; readonly verbosity?: string }
  readonly tool_choice: ResponsesToolChoice
  readonly tools: ReadonlyArray<ResponsesTool>
  readonly top_logprobs: number
  readonly top_p: number
  readonly frequency_penalty: number
  readonly presence_penalty: number
  readonly truncation: string
  readonly background: boolean
  /** Null until it is known. */
  readonly usage: ResponsesUsage | null
}
