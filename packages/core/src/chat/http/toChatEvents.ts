/** Encodes a streamed chat as server-sent events. */
import type { ErrorResponse } from "../../http/errors/ErrorResponse.ts"
import { doneEvent, toEvent } from "../../http/operation/serverSentEvents.ts"
import type { EventStreamOptions } from "../../http/operation/withKeepalive.ts"
import { writeAnswer } from "../../http/operation/writeAnswer.ts"
import type { PushStream } from "../../values/push/PushStream.ts"
import { makeEventEncoder } from "../stream/ChunkEncoder.ts"
import type { ChatStream } from "../stream/streamChat.ts"

interface ChatEventsOptions extends EventStreamOptions {
  /** Routing metadata for the last chunk; undefined unless the caller requested it. */
  readonly toRoutingMetadata?: (() => Readonly<Record<string, unknown>> | undefined) | undefined
}

/** No `[DONE]` follows a failure, because `[DONE]` marks a complete answer. */
export const toChatEvents = (
  { head, pieces, toLastChunk }: ChatStream,
  { toRoutingMetadata, ...options }: ChatEventsOptions
): PushStream<string> =>
  writeAnswer(
    pieces,
    {
      write: makeEventEncoder(head),
      end: () => toEvent(Object.assign({}, toLastChunk(), toRoutingMetadata?.())) + doneEvent,
      fail: (error, isExpected) =>
        toErrorEvent(isExpected ? { ...head, ...toRoutingMetadata?.() } : head, error)
    },
    options
  )

const toErrorEvent = (head: object, { message, metadata, status }: ErrorResponse): string =>
  toEvent({
    ...head,
    error: { code: status, message, ...(metadata === undefined ? undefined : { metadata }) },
    choices: [
      { index: 0, delta: { content: "" }, finish_reason: "error", native_finish_reason: "error" }
    ]
  })
