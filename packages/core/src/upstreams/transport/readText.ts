/** The whole body of an upstream's answer as text, as far as a limit and a deadline allow. */
import * as Effect from "effect/Effect"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Stream from "effect/Stream"
import type { SettingsShape } from "../../Settings.ts"
import { toTransportFailure } from "../failures/toTransportFailure.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"

export const readText = (
  response: HttpClientResponse.HttpClientResponse,
  { bodyTimeoutMillis, maxUpstreamBodyBytes }: SettingsShape
): Effect.Effect<string, UpstreamFailure> =>
  readTextWithin(response, maxUpstreamBodyBytes).pipe(
    Effect.timeoutOrElse({
      duration: bodyTimeoutMillis,
      orElse: () => Effect.fail(new UpstreamFailure({ kind: "timeout", phase: "body" }))
    })
  )

const readTextWithin = (
  response: HttpClientResponse.HttpClientResponse,
  limit: number
): Effect.Effect<string, UpstreamFailure> => {
  const declared = Number(response.headers["content-length"] ?? Number.NaN)
  if (declared <= limit) {
    return Effect.mapError(response.text, (error) => toTransportFailure(error, "body"))
  }
  // Leaving the stream early is what closes the connection; an answer left unread would hold it.
  let size = declared > limit ? declared : 0
  return response.stream.pipe(
    Stream.mapError((error) => toTransportFailure(error, "body")),
    Stream.mapEffect((chunk) => {
      size += chunk.length
      return size > limit
        ? Effect.fail(
            new UpstreamFailure({
              kind: "invalid_answer",
              status: response.status,
              detail: `the answer is larger than ${limit} bytes`
            })
          )
        : Effect.succeed(chunk)
    }),
    Stream.decodeText(),
    Stream.mkString
  )
}
