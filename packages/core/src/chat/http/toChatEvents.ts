/** A streamed chat as server-sent events. Source: wire, POST /chat/completions. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ChatStream } from "../Chats.ts"
import type { ChunkHead } from "../stream/ChunkEncoder.ts"
import type { ExpectedError } from "../../http/errors/ExpectedError.ts"
import type { ErrorResponse } from "../../http/errors/ErrorResponse.ts"
import { toErrorResponse } from "../../http/errors/toErrorResponse.ts"
import { toErrorResponseFromCause } from "../../http/errors/toErrorResponseFromCause.ts"
import {
  doneEvent,
  encodeEvents,
  type EventStreamOptions,
  toEvent,
  withKeepalive
} from "../../http/operation/serverSentEvents.ts"

interface ChatEventsOptions extends EventStreamOptions {
  /** How it was routed, for the last chunk, where the caller wants to know. */
  readonly toRoutingMetadata?: (() => Readonly<Record<string, unknown>> | undefined) | undefined
}

/**
 * The headers are out already, so that an answer that breaks off says so in a chunk of its own. There is no
 * `[DONE]` after it: what ends with that is whole.
 */
export const toChatEvents = (
  { chunks, ...head }: ChatStream,
  { toRoutingMetadata, ...going }: ChatEventsOptions
): Stream.Stream<Uint8Array> =>
  chunks.pipe(
    Stream.map((chunk) =>
      toEvent(chunk.usage === undefined ? chunk : Object.assign({}, chunk, toRoutingMetadata?.()))
    ),
    (events) => withKeepalive(events, going),
    Stream.concat(Stream.succeed(doneEvent)),
    Stream.catchCause((cause) => Stream.fromEffect(toFailureEvent(head, cause, toRoutingMetadata))),
    encodeEvents
  )

const toFailureEvent = <E extends ExpectedError>(
  head: ChunkHead,
  cause: Cause.Cause<E>,
  told: ChatEventsOptions["toRoutingMetadata"]
): Effect.Effect<string> => {
  const failed = cause.reasons.find(Cause.isFailReason)
  if (failed !== undefined) {
    return Effect.succeed(toErrorEvent({ ...head, ...told?.() }, toErrorResponse(failed.error)))
  }
  // Nobody is there to be told.
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  return Effect.map(toErrorResponseFromCause(cause, false), (refusal) =>
    toErrorEvent(head, refusal)
  )
}

const toErrorEvent = (head: object, { message, metadata, status }: ErrorResponse): string =>
  toEvent({
    ...head,
    error: { code: status, message, ...(metadata === undefined ? undefined : { metadata }) },
    choices: [
      { index: 0, delta: { content: "" }, finish_reason: "error", native_finish_reason: "error" }
    ]
  })
