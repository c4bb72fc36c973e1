/** An answered chat, whole. */
import * as Schema from "effect/Schema"
import type { AssistantMessage } from "./ChatRequestMessage.ts"

/** The sums over all attempts, the failed ones too, as far as they are known, with the provider's details. */
export const ChatUsage = Schema.StructWithRest(
  Schema.Struct({
    prompt_tokens: Schema.Int,
    completion_tokens: Schema.Int,
    total_tokens: Schema.Int,
    /** USD. Left out when a price is unknown. */
    cost: Schema.optionalKey(Schema.Finite),
    /** Whether it ran on a credential of the account's own, which its provider bills. */
    is_byok: Schema.optionalKey(Schema.Boolean)
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

/** In tokens, and in USD. What else a provider counts is there under its own names. */
export interface ChatUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  /** USD. Left out when a price is unknown. */
  readonly cost?: number
  /** Whether it ran on a credential of the account's own, which its provider bills. */
  readonly is_byok?: boolean
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

/** Why an answer ended; providers have more reasons than these. */
export type FinishReason =
  | "content_filter"
  | "error"
  | "length"
  | "stop"
  | "tool_calls"
  | (string & {})

const Choice = Schema.Struct({
  index: Schema.Int,
  /** With `getContent`, `tool_calls` and whatever else the model answers with. */
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
  /** The model of the catalog that answered; the record has what its provider calls it. */
  model: Schema.String,
  provider: Schema.String,
  choices: Schema.Array(Choice),
  /** What the provider ran, as it says itself; clients insist on the key. */
  system_fingerprint: Schema.NullOr(Schema.String),
  /** The tier the provider served it on, as it says itself. */
  service_tier: Schema.optionalKey(Schema.String),
  usage: ChatUsage
})

/** One of the answers of a completion. */
export interface ChatCompletionChoice {
  readonly index: number
  /** May be sent back as it is, among the messages of the next request. */
  readonly message: AssistantMessage
  readonly finish_reason: FinishReason | null
  readonly native_finish_reason: string | null
  readonly logprobs: unknown
}

/** What a provider answers beyond this is there too, untyped: messages are passed on as they come. */
export interface ChatCompletion extends Omit<typeof ChatCompletion.Type, "choices" | "usage"> {
  /** One for each answer asked for; at least one. */
  readonly choices: ReadonlyArray<ChatCompletionChoice>
  readonly usage: ChatUsage
}
