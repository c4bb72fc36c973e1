/** What an intern answers as server-sent events. Source: wire, createInternChatCompletion. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { lastInternChunk } from "../interns/internChunking.ts"
import type { InternChatStream } from "../interns/InternChats.ts"
import type { InternChatError } from "../interns/InternTurn.ts"
import { done, eventOf, type Going, keptGoing } from "./chatEvents.ts"
import { internChatEnvelope } from "./errors/internChatEnvelope.ts"
import type { Refusal } from "./errors/Refusal.ts"
import { refusalOf } from "./errors/refusalOf.ts"
import { refusalOfCause } from "./errors/refusalOfCause.ts"
import type { Draining } from "./HttpErrors.ts"

/**
 * The headers are out already, so that an answer that breaks off says so in a chunk that finishes it. What comes
 * after a finish comes after this one too: the session, which goes on, and `[DONE]`.
 */
export const internChatEvents = (
  { chunks, created, id, model, object, session }: InternChatStream,
  going: Going
): Stream.Stream<Uint8Array> => {
  const head = { id, object, created, model }
  const brokenOff = (refusal: Refusal): string => {
    const { message, metadata, status } = internChatEnvelope(refusal)
    return (
      eventOf({
        ...head,
        choices: [{ index: 0, delta: {}, finish_reason: "error" }],
        error: { code: status, message, metadata }
      }) + eventOf(lastInternChunk(head, session, null))
    )
  }
  return chunks.pipe(
    Stream.map(eventOf),
    (events) => keptGoing(events, going),
    Stream.catchCause((cause) => Stream.fromEffect(Effect.map(refusalIn(cause), brokenOff))),
    Stream.concat(Stream.succeed(done)),
    Stream.mapArray((events) => Arr.of(encoder.encode(events.join(""))))
  )
}

const encoder = new TextEncoder()

const refusalIn = (cause: Cause.Cause<InternChatError | Draining>): Effect.Effect<Refusal> => {
  const failed = cause.reasons.find(Cause.isFailReason)
  if (failed !== undefined) return Effect.succeed(refusalOf(failed.error))
  // Nobody is there to be told.
  return Cause.hasInterruptsOnly(cause) ? Effect.interrupt : refusalOfCause(cause, false)
}
