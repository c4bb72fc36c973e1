/** Answers a request together with how it was routed, to a caller that asks for that by header. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type ExpectedError, refusalOf } from "./errors/refusalOf.ts"
import { refuse } from "./errors/refuse.ts"
import { type RoutingNotes, routingNotes, wantsMetadata } from "./routingMetadata.ts"

/** `answer` puts the notes into what it answers; beside an error they are told here. */
export const tellingRouting = <R>(
  { headers }: HttpServerRequest.HttpServerRequest,
  answer: (
    notes: RoutingNotes | undefined
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, ExpectedError, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> => {
  const notes = wantsMetadata(headers) ? routingNotes() : undefined
  return Effect.matchEffect(answer(notes), {
    onSuccess: Effect.succeed,
    onFailure: (error) => Effect.succeed(refuse(refusalOf(error), notes?.told()))
  })
}
