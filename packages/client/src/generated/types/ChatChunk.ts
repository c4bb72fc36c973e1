/** The chunks of a streamed answer: https://platform.openai.com/docs/api-reference/chat-streaming. */
import type { AssistantMessage } from "./ChatRequestMessage.ts"
import type { ChatUsage, FinishReason } from "./ChatCompletion.ts"

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
export interface ChatChunk {
  readonly id: string
  readonly object: "chat.completion.chunk"
  readonly created: number
  readonly model: string
  readonly provider: string
  readonly system_fingerprint?: string
  readonly service_tier?: string
  readonly debug?: {
    readonly echo_upstream_body: unknown
  }

  /** Empty in the last chunk, which has `usage`. */
  readonly choices: ReadonlyArray<ChatChunkChoice>
  readonly usage?: ChatUsage
}
