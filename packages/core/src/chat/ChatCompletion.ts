/** An answered chat, whole. */
import * as Schema from "effect/Schema"

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
export type ChatUsage = typeof ChatUsage.Type

const Choice = Schema.Struct({
  index: Schema.Int,
  /** With `content`, `tool_calls` and whatever else the model answers with. */
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
export type ChatCompletion = typeof ChatCompletion.Type
