/** Encodes a streamed chat as server-sent events. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { ChatStream } from "../stream/streamChat.ts"
import { type ChunkHead, makeEventEncoder } from "../stream/ChunkEncoder.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import type { PushStream } from "../../values/push/PushStream.ts"
import type { ExpectedError } from "../../http/errors/errorTable.ts"
import type { ErrorResponse } from "../../http/errors/ErrorResponse.ts"
import { toErrorResponse } from "../../http/errors/toErrorResponse.ts"
import { toErrorResponseFromCause } from "../../http/errors/toErrorResponseFromCause.ts"
import { doneEvent, toEvent } from "../../http/operation/serverSentEvents.ts"
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
  { head, pieces, toLastChunk }: ChatStream,
  { toRoutingMetadata, ...options }: ChatEventsOptions
): PushStream<string> => {
  const encode = makeEventEncoder(head)
  const events: PushStream<string, RoutingError> = {
    run: (push) => pieces.run((arrived) => push([encode(arrived)]))
  }
  const toLastEvents = (): string =>
    toEvent(Object.assign({}, toLastChunk(), toRoutingMetadata?.())) + doneEvent
  return {
    run: (push) =>
      withKeepalive(events, options)
        .run(push)
        .pipe(
          Effect.matchCauseEffect({
            onSuccess: () => push([toLastEvents()]),
            onFailure: (cause) =>
              Effect.flatMap(toFailureEvent(head, cause, toRoutingMetadata), (event) =>
                push([event])
              )
          })
        )
  }
}

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
