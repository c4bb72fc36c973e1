/** Writes a streamed chat as server-sent events. */
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import { doneEvent, toEvent } from "../operation/serverSentEvents.ts"
import type { RoutingMetadataRecorder } from "../operation/RoutingMetadataRecorder.ts"
import type { AnswerWriter } from "../operation/writeAnswer.ts"
import type { ChatDeltaEvent } from "../../engine/upstreams/ChatCapability.ts"
import { makeEventEncoder } from "../../domains/chat/stream/ChunkEncoder.ts"
import type { ChatStream } from "../../domains/chat/stream/streamChat.ts"

/**
 * No `[DONE]` follows a failure, because `[DONE]` marks a complete answer. The last chunk has the routing
 * metadata, if the caller asked for it.
 */
export const makeChatEventWriter = (
  { head, toLastChunk }: Pick<ChatStream, "head" | "toLastChunk">,
  routing?: Pick<RoutingMetadataRecorder, "toMetadata">
): AnswerWriter<ChatDeltaEvent> => ({
  write: makeEventEncoder(head),
  end: () => toEvent(Object.assign({}, toLastChunk(), routing?.toMetadata())) + doneEvent,
  fail: (error, isExpected) =>
    toErrorEvent(isExpected ? { ...head, ...routing?.toMetadata() } : head, error)
})

const toErrorEvent = (head: object, { message, metadata, status }: ErrorResponse): string =>
  toEvent({
    ...head,
    error: { code: status, message, ...(metadata === undefined ? undefined : { metadata }) },
    choices: [
      { index: 0, delta: { content: "" }, finish_reason: "error", native_finish_reason: "error" }
    ]
  })
