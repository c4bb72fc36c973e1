/** Encodes a streamed chat as server-sent events. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ChatStream } from "../stream/streamChat.ts"
import type { ChunkHead } from "../stream/ChunkEncoder.ts"
import type { ExpectedError } from "../../http/errors/errorTable.ts"
import type { ErrorResponse } from "../../http/errors/ErrorResponse.ts"
import { toErrorResponse } from "../../http/errors/toErrorResponse.ts"
import { toErrorResponseFromCause } from "../../http/errors/toErrorResponseFromCause.ts"
import { doneEvent, encodeEvents, toEvent } from "../../http/operation/serverSentEvents.ts"
import { type EventStreamOptions, withKeepalive } from "../../http/operation/withKeepalive.ts"

interface ChatEventsOptions extends EventStreamOptions {
  /** Routing metadata for the last chunk; undefined unless the caller requested it. */
  readonly toRoutingMetadata?: (() => Readonly<Record<string, unknown>> | undefined) | undefined
}

/**
 * The status has been sent by the time a stream fails, so the failure is a chunk of its own. No `[DONE]` follows
 * it, because `[DONE]` marks a complete answer.
 */
export const toChatEvents = (
  { chunks, ...head }: ChatStream,
  { toRoutingMetadata, ...options }: ChatEventsOptions
): Stream.Stream<Uint8Array> =>
  chunks.pipe(
    Stream.map((chunk) =>
      toEvent(chunk.usage === undefined ? chunk : Object.assign({}, chunk, toRoutingMetadata?.()))
    ),
    (events) => withKeepalive(events, options),
    Stream.concat(Stream.succeed(doneEvent)),
    Stream.catchCause((cause) => Stream.fromEffect(toFailureEvent(head, cause, toRoutingMetadata))),
    encodeEvents
  )

const toFailureEvent = <E extends ExpectedError>(
  head: ChunkHead,
  cause: Cause.Cause<E>,
  toRoutingMetadata: ChatEventsOptions["toRoutingMetadata"]
): Effect.Effect<string> => {
  const failed = cause.reasons.find(Cause.isFailReason)
  if (failed !== undefined) {
    return Effect.succeed(
      toErrorEvent({ ...head, ...toRoutingMetadata?.() }, toErrorResponse(failed.error))
    )
  }
  // The client has disconnected.
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  return Effect.map(toErrorResponseFromCause(cause, false), (error) => toErrorEvent(head, error))
}

const toErrorEvent = (head: object, { message, metadata, status }: ErrorResponse): string =>
  toEvent({
    ...head,
    error: { code: status, message, ...(metadata === undefined ? undefined : { metadata }) },
    choices: [
      { index: 0, delta: { content: "" }, finish_reason: "error", native_finish_reason: "error" }
    ]
  })
