/** A piece of a streamed answer. */
import * as Schema from "effect/Schema"
import { ChatUsage, type FinishReason } from "./ChatCompletion.ts"
import type { AssistantMessage } from "./ChatRequestMessage.ts"

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

/** A part of a call of a tool: the pieces of one have the same `index`, and their arguments are joined. */
export interface ToolCallDelta {
  readonly index: number
  readonly id?: string
  readonly type?: "function"
  readonly function?: { readonly name?: string; readonly arguments?: string }
}

/** What is added to a message; the first of a choice has its `role`. */
export interface ChatChunkDelta extends Omit<
  AssistantMessage,
  "content" | "name" | "role" | "tool_calls"
> {
  readonly role?: "assistant"
  readonly content?: string | null
  readonly tool_calls?: ReadonlyArray<ToolCallDelta>
}

/** What one chunk adds to one choice. */
export interface ChatChunkChoice {
  readonly index: number
  readonly delta: ChatChunkDelta
  readonly finish_reason: FinishReason | null
  readonly native_finish_reason: string | null
  readonly logprobs?: unknown
}

/** What a provider answers beyond this is there too, untyped: pieces are passed on as they come. */
export interface ChatChunk extends Omit<typeof ChatChunk.Type, "choices" | "usage"> {
  /** None in the last one, which has `usage`. */
  readonly choices: ReadonlyArray<ChatChunkChoice>
  readonly usage?: ChatUsage
}
