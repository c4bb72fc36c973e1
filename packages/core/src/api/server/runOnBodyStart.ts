/** Runs an effect in the fiber that reads a response body, when reading starts. */
import type * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"

/** Applies to streamed bodies only; others are not read in a fiber. */
export const runOnBodyStart = (
  response: HttpServerResponse.HttpServerResponse,
  effect: Effect.Effect<void>
): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  if (body._tag !== "Stream") return response
  const stream = Stream.onStart(body.stream, effect)
  return HttpServerResponse.setBody(
    response,
    HttpBody.stream(stream, body.contentType, body.contentLength)
  )
}
