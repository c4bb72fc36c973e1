/** What an intern answers as server-sent events. Source: wire, createInternChatCompletion. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { toLastInternChunk } from "../interns/chat/toInternChunks.ts"
import type { InternChatStream } from "../interns/chat/InternChats.ts"
import type { InternChatError } from "../interns/chat/InternTurn.ts"
import { doneEvent, toEvent, type EventStreamOptions, withKeepalive } from "./toChatEvents.ts"
import { toInternChatEnvelope } from "./errors/toInternChatEnvelope.ts"
import type { ErrorResponse } from "./errors/ErrorResponse.ts"
import { toErrorResponse } from "./errors/toErrorResponse.ts"
import { toErrorResponseFromCause } from "./errors/toErrorResponseFromCause.ts"
import type { Draining } from "./HttpErrors.ts"

/**
 * The headers are out already, so that an answer that breaks off says so in a chunk that finishes it. What comes
 * after a finish comes after this one too: the session, which goes on, and `[DONE]`.
 */
export const toInternChatEvents = (
  { chunks, created, id, model, object, session }: InternChatStream,
  going: EventStreamOptions
): Stream.Stream<Uint8Array> => {
  const head = { id, object, created, model }
  const toFailureEvent = (refusal: ErrorResponse): string => {
    const { message, metadata, status } = toInternChatEnvelope(refusal)
    return (
      toEvent({
        ...head,
        choices: [{ index: 0, delta: {}, finish_reason: "error" }],
        error: { code: status, message, metadata }
      }) + toEvent(toLastInternChunk(head, session, null))
    )
  }
  return chunks.pipe(
    Stream.map(toEvent),
    (events) => withKeepalive(events, going),
    Stream.catchCause((cause) =>
      Stream.fromEffect(Effect.map(toFailureResponse(cause), toFailureEvent))
    ),
    Stream.concat(Stream.succeed(doneEvent)),
    Stream.mapArray((events) => Arr.of(encoder.encode(events.join(""))))
  )
}

const encoder = new TextEncoder()

const toFailureResponse = (
  cause: Cause.Cause<InternChatError | Draining>
): Effect.Effect<ErrorResponse> => {
  const failed = cause.reasons.find(Cause.isFailReason)
  if (failed !== undefined) return Effect.succeed(toErrorResponse(failed.error))
  // Nobody is there to be told.
  return Cause.hasInterruptsOnly(cause) ? Effect.interrupt : toErrorResponseFromCause(cause, false)
}
