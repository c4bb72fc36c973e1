/** Encodes the answer of an intern as server-sent events. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { toLastInternChunk } from "../chat/toInternChunks.ts"
import type { InternChatStream } from "../chat/InternChats.ts"
import type { InternChatError } from "../chat/InternTurn.ts"
import { doneEvent, toEvent } from "../../http/operation/serverSentEvents.ts"
import { type EventStreamOptions, withKeepalive } from "../../http/operation/withKeepalive.ts"
import type { ErrorResponse } from "../../http/errors/ErrorResponse.ts"
import { type ErrorRules, toErrorResponse } from "../../http/errors/toErrorResponse.ts"
import { toErrorResponseFromCause } from "../../http/errors/toErrorResponseFromCause.ts"
import { fromStream, type PushStream } from "../../values/push/PushStream.ts"
import type { Draining } from "../../http/errors/HttpErrors.ts"

/**
 * The status has been sent by the time a stream fails, so the failure is a chunk with a finish reason. The session
 * continues, so its id and `[DONE]` follow as after any other finish.
 */
export const toInternChatEvents = (
  { chunks, created, id, model, object, session }: InternChatStream,
  options: EventStreamOptions
): PushStream<string> => {
  const head = { id, object, created, model }
  const toFailureEvent = ({ message, metadata, status }: ErrorResponse): string =>
    toEvent({
      ...head,
      choices: [{ index: 0, delta: {}, finish_reason: "error" }],
      error: { code: status, message, metadata }
    }) + toEvent(toLastInternChunk(head, session, null))
  const events: PushStream<string, InternChatError> = {
    run: (push) => fromStream(chunks).run((arrived) => push([arrived.map(toEvent).join("")]))
  }
  return {
    run: (push) =>
      withKeepalive(events, options)
        .run(push)
        .pipe(
          Effect.matchCauseEffect({
            onSuccess: () => push([doneEvent]),
            onFailure: (cause) =>
              Effect.flatMap(toFailureResponse(cause), (failure) =>
                push([toFailureEvent(failure) + doneEvent])
              )
          })
        )
  }
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
