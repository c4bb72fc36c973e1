/** Reads the whole body of a response as text, within a size limit and a timeout. */
import * as Effect from "effect/Effect"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Stream from "effect/Stream"
import type { SettingsShape } from "../../../instance/Settings.ts"
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
  // Ending the stream early closes the connection, which an unread response would hold.
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
