/** The chunks of a streamed answer: https://platform.openai.com/docs/api-reference/chat-streaming. */
import * as Schema from "effect/Schema"
import { ChatUsage, type FinishReason } from "../ChatCompletion.ts"
import type { AssistantMessage } from "../request/ChatRequestMessage.ts"

const Choice = Schema.Struct({
  index: Schema.Int,
  /** A part of the message; the first of a choice has its `role`. */
  delta: Schema.Record(Schema.String, Schema.Unknown),
  finish_reason: Schema.NullOr(Schema.String),
  native_finish_reason: Schema.NullOr(Schema.String),
  logprobs: Schema.optionalKey(Schema.Unknown)
})

export const ChatChunk = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("chat.completion.chunk"),
  /** Seconds since the epoch; the same in every chunk. */
  created: Schema.Int,
  model: Schema.String,
  provider: Schema.String,
  /** Empty in the last chunk, which has `usage`. */
  choices: Schema.Array(Choice),
  /** The backend of the provider; omitted when the provider reports none. */
  system_fingerprint: Schema.optionalKey(Schema.String),
  /** The service tier that the provider reports. */
  service_tier: Schema.optionalKey(Schema.String),
  usage: Schema.optionalKey(ChatUsage),
  /** In the first chunk, for a request with `debug.echo_upstream_body`: the body that the provider got. */
  debug: Schema.optionalKey(Schema.Struct({ echo_upstream_body: Schema.Unknown }))
})

/** A part of a tool call. Parts of one call have the same `index`; their arguments are concatenated. */
export interface ToolCallDelta {
  readonly index: number
  readonly id?: string
  readonly type?: "function"
  readonly function?: { readonly name?: string; readonly arguments?: string }
}

/** A part of a message; the first of a choice has its `role`. */
export interface ChatChunkDelta extends Omit<
  AssistantMessage,
  "content" | "name" | "role" | "tool_calls"
> {
  readonly role?: "assistant"
  readonly content?: string | null
  readonly tool_calls?: ReadonlyArray<ToolCallDelta>
}

/** A part of one choice. */
export interface ChatChunkChoice {
  readonly index: number
  readonly delta: ChatChunkDelta
  readonly finish_reason: FinishReason | null
  readonly native_finish_reason: string | null
  readonly logprobs?: unknown
}

/** One chunk of a streamed answer. Other fields of the provider are passed through untyped. */
export interface ChatChunk extends Omit<typeof ChatChunk.Type, "choices" | "usage"> {
  /** Empty in the last chunk, which has `usage`. */
  readonly choices: ReadonlyArray<ChatChunkChoice>
  readonly usage?: ChatUsage
}
