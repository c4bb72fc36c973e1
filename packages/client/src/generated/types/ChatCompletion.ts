/** The answer of a chat that is not streamed: https://platform.openai.com/docs/api-reference/chat. */
import type { AssistantMessage } from "./ChatRequestMessage.ts"
import type { ReportedUsage } from "./toReportedUsage.ts"

/** Usage in tokens and cost in USD. Other counts of the provider are passed through under its names. */
export interface ChatUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  /** USD; omitted when a price is unknown. */
  readonly cost?: number
  /** Whether it ran on the account's own credential, which the provider bills. */
  readonly is_byok?: boolean
  /** The provider's report, where a count or the cost was implausible and so was capped. Absent: nothing was capped. */
  readonly reported?: ReportedUsage
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number
    readonly cache_write_tokens?: number
    readonly audio_tokens?: number
  } | null
  readonly completion_tokens_details?: {
    readonly reasoning_tokens?: number
    readonly audio_tokens?: number
    readonly image_tokens?: number
    readonly accepted_prediction_tokens?: number
    readonly rejected_prediction_tokens?: number
  } | null
}

/** Why an answer ended; providers may report other reasons. */
export type FinishReason =
  | "content_filter"
  | "error"
  | "length"
  | "stop"
  | "tool_calls"
  | (string & {})

/** One answer of a completion. */
export interface ChatCompletionChoice {
  readonly index: number
  /** Valid as a message of the next request. */
  readonly message: AssistantMessage
  readonly finish_reason: FinishReason | null
  readonly native_finish_reason: string | null
  readonly logprobs: unknown
}

/** The answer of a chat. Other fields of the provider are passed through untyped. */
export interface ChatCompletion {
  readonly id: string
  readonly object: "chat.completion"
  readonly created: number
  readonly model: string
  readonly provider: string
  readonly system_fingerprint: string | null
  readonly service_tier?: string

  /** One for each of the `n` requested answers. */
  readonly choices: ReadonlyArray<ChatCompletionChoice>
  readonly usage: ChatUsage
}
