/** The answer of Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages. */

/** Text of the model. */
interface TextBlock {
  readonly type: "text"
  readonly text: string
  readonly citations: ReadonlyArray<Readonly<Record<string, unknown>>> | null
}

/** A thought of the model. Send it back unchanged; `signature` proves that the model wrote it. */
interface ThinkingBlock {
  readonly type: "thinking"
  readonly thinking: string
  readonly signature: string
}

/** An encrypted thought of the model. Send it back unchanged. */
interface RedactedThinkingBlock {
  readonly type: "redacted_thinking"
  readonly data: string
}

/** A call of one of the request's tools. */
interface ToolUseBlock {
  readonly type: "tool_use"
  readonly id: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

/** A block of the answer. Providers with this API may send others, such as `server_tool_use`; they are passed on. */
export type MessageBlock = RedactedThinkingBlock | TextBlock | ThinkingBlock | ToolUseBlock

/** Why an answer ended. */
export type StopReason =
  | "compaction"
  | "end_turn"
  | "max_tokens"
  | "model_context_window_exceeded"
  | "pause_turn"
  | "refusal"
  | "stop_sequence"
  | "tool_use"
  | (string & {})

/** Counts that the provider did not report are null. */
export interface MessageUsage {
  /** Tokens of the prompt that no cache held. */
  readonly input_tokens: number
  readonly cache_creation_input_tokens: number | null
  readonly cache_read_input_tokens: number | null
  readonly cache_creation: {
    readonly ephemeral_5m_input_tokens: number
    readonly ephemeral_1h_input_tokens: number
  } | null
  /** Thinking included. */
  readonly output_tokens: number
  readonly output_tokens_details: { readonly thinking_tokens: number } | null
  readonly server_tool_use: {
    readonly web_search_requests: number
    readonly web_fetch_requests: number
  } | null
  readonly service_tier: string | null
  readonly inference_geo: string | null
  /** USD; omitted when a price is unknown. */
  readonly cost?: number
  /** Whether it ran on the account's own credential, which the provider bills. */
  readonly is_byok?: boolean
  readonly cost_details?: {
    /** USD that providers charge the account for its own credentials. */
    readonly upstream_inference_cost: number
  }
}

/** An answer. */
export interface Message {
  readonly id: string
  readonly type: "message"
  readonly role: "assistant"
  /** The catalog id of the model that answered. */
  readonly model: string
  /** The name of the provider that answered. */
  readonly provider: string
  readonly content: ReadonlyArray<MessageBlock>
  readonly stop_reason: StopReason | null
  /** The sequence that ended the answer. */
  readonly stop_sequence: string | null
  readonly stop_details: {
    readonly type: "refusal"
    readonly category: string | null
    readonly explanation: string | null
  } | null
  readonly container: Readonly<Record<string, unknown>> | null
  readonly usage: MessageUsage
}

/** A piece of the open block. */
export type BlockDelta =
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "citations_delta"; readonly citation: Readonly<Record<string, unknown>> }
  | { readonly type: "thinking_delta"; readonly thinking: string }
  | { readonly type: "signature_delta"; readonly signature: string }
  | { readonly type: "input_json_delta"; readonly partial_json: string }

/** An event of an answer. Providers with this API may send other blocks and deltas; they are passed on. */
export type MessageEvent =
  | { readonly type: "message_start"; readonly message: Message }
  | {
      readonly type: "content_block_start"
      readonly index: number
      readonly content_block: MessageBlock
    }
  | {
      readonly type: "content_block_delta"
      readonly index: number
      readonly delta: BlockDelta
    }
  | { readonly type: "content_block_stop"; readonly index: number }
  | {
      readonly type: "message_delta"
      readonly delta: Pick<Message, "container" | "stop_details" | "stop_reason" | "stop_sequence">
      readonly usage: MessageUsage
    }
  | { readonly type: "message_stop" }
  | { readonly type: "ping" }
