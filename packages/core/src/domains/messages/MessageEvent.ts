/** The events of a streamed answer: https://platform.claude.com/docs/en/api/messages-streaming. */
import type { Message, MessageBlock, MessageUsage } from "./Message.ts"

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
