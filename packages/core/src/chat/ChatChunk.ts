/** A piece of a streamed answer. */
import * as Schema from "effect/Schema"
import { ChatUsage } from "./ChatCompletion.ts"

const Choice = Schema.Struct({
  index: Schema.Int,
  /** A part of the message; the first one has its `role`. */
  delta: Schema.Record(Schema.String, Schema.Unknown),
  finish_reason: Schema.NullOr(Schema.String),
  native_finish_reason: Schema.NullOr(Schema.String),
  logprobs: Schema.optionalKey(Schema.Unknown)
})

export const ChatChunk = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("chat.completion.chunk"),
  /** Seconds since the epoch; the same in each. */
  created: Schema.Int,
  model: Schema.String,
  provider: Schema.String,
  /** None in the last one, which has `usage`. */
  choices: Schema.Array(Choice),
  /** What the provider ran, as it says itself; left out where it does not. */
  system_fingerprint: Schema.optionalKey(Schema.String),
  /** The tier the provider served it on, as it says itself. */
  service_tier: Schema.optionalKey(Schema.String),
  usage: Schema.optionalKey(ChatUsage)
})
export type ChatChunk = typeof ChatChunk.Type
