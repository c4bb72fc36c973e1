/** Encodes the answer of an intern as server-sent events. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { toLastInternChunk } from "../chat/toInternChunks.ts"
import type { InternChatStream } from "../chat/InternChats.ts"
import type { InternChatError } from "../chat/InternTurn.ts"
import { doneEvent, encodeEvents, toEvent } from "../../http/operation/serverSentEvents.ts"
import { type EventStreamOptions, withKeepalive } from "../../http/operation/withKeepalive.ts"
import type { ErrorResponse } from "../../http/errors/ErrorResponse.ts"
import { type ErrorRules, toErrorResponse } from "../../http/errors/toErrorResponse.ts"
import { toErrorResponseFromCause } from "../../http/errors/toErrorResponseFromCause.ts"
import type { Draining } from "../../http/errors/HttpErrors.ts"

/**
 * The status has been sent by the time a stream fails, so the failure is a chunk with a finish reason. The session
 * continues, so its id and `[DONE]` follow as after any other finish.
 */
export const toInternChatEvents = (
  { chunks, created, id, model, object, session }: InternChatStream,
  options: EventStreamOptions
): Stream.Stream<Uint8Array> => {
  const head = { id, object, created, model }
  const toFailureEvent = ({ message, metadata, status }: ErrorResponse): string =>
    toEvent({
      ...head,
      choices: [{ index: 0, delta: {}, finish_reason: "error" }],
      error: { code: status, message, metadata }
    }) + toEvent(toLastInternChunk(head, session, null))
  return chunks.pipe(
    Stream.map(toEvent),
    (events) => withKeepalive(events, options),
    Stream.catchCause((cause) =>
      Stream.fromEffect(Effect.map(toFailureResponse(cause), toFailureEvent))
    ),
    Stream.concat(Stream.succeed(doneEvent)),
    encodeEvents
  )
}

const errorRules: ErrorRules = { envelope: "internChat" }

const toFailureResponse = (
  cause: Cause.Cause<InternChatError | Draining>
): Effect.Effect<ErrorResponse> => {
  const failed = cause.reasons.find(Cause.isFailReason)
  if (failed !== undefined) return Effect.succeed(toErrorResponse(failed.error, errorRules))
  // The client has disconnected.
  return Cause.hasInterruptsOnly(cause)
    ? Effect.interrupt
    : toErrorResponseFromCause(cause, false, errorRules)
}
