/** The answer of a chat that is not streamed: https://platform.openai.com/docs/api-reference/chat. */
import * as Schema from "effect/Schema"
import type { ReportedUsage } from "./toReportedUsage.ts"
import type { AssistantMessage } from "./request/ChatRequestMessage.ts"

/** The known usage of all attempts, including failed ones, with the details of the provider. */
export const ChatUsage = Schema.StructWithRest(
  Schema.Struct({
    prompt_tokens: Schema.Int,
    completion_tokens: Schema.Int,
    total_tokens: Schema.Int,
    /** USD; omitted when a price is unknown. */
    cost: Schema.optionalKey(Schema.Finite),
    /** Whether it ran on the account's own credential, which the provider bills. */
    is_byok: Schema.optionalKey(Schema.Boolean)
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

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

const Choice = Schema.Struct({
  index: Schema.Int,
  /** With `content`, `tool_calls` and every other field of the model's answer. */
  message: Schema.StructWithRest(Schema.Struct({ role: Schema.String }), [
    Schema.Record(Schema.String, Schema.Unknown)
  ]),
  /** Such as `stop`, `length`, `tool_calls` or `content_filter`. */
  finish_reason: Schema.NullOr(Schema.String),
  native_finish_reason: Schema.NullOr(Schema.String),
  logprobs: Schema.Unknown
})

export const ChatCompletion = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("chat.completion"),
  /** Seconds since the epoch. */
  created: Schema.Int,
  /** The catalog id of the model that answered; the record has the provider's name for it. */
  model: Schema.String,
  provider: Schema.String,
  choices: Schema.Array(Choice),
  /** The backend of the provider; null when it reports none, because clients require the key. */
  system_fingerprint: Schema.NullOr(Schema.String),
  /** The service tier that the provider reports. */
  service_tier: Schema.optionalKey(Schema.String),
  usage: ChatUsage
})

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
export interface ChatCompletion extends Omit<typeof ChatCompletion.Type, "choices" | "usage"> {
  /** One for each of the `n` requested answers. */
  readonly choices: ReadonlyArray<ChatCompletionChoice>
  readonly usage: ChatUsage
}

/** Who answers a chat, as soon as anything of the answer has arrived. */
export interface AnswerHead {
  /** The id of the generation record. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** The catalog id of the model. */
  readonly model: string
  /** The display name of the provider. */
  readonly provider: string
}
