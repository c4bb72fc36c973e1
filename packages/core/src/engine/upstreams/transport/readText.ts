/** Reads the whole body of a response as text, within a size limit and a timeout. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import type { SettingsShape } from "../../../instance/Settings.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { toTransportFailure } from "../failures/toTransportFailure.ts"

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

/** The text of the next chunk; the beginning of a character that the next chunk continues waits for it. */
export const makeChunkDecoder = (): ((chunk: Uint8Array) => string) => {
  const decoder = new TextDecoder()
  /** Whether the chunk follows the first one and a whole character. */
  let isAtCharacter = false
  return (chunk) => {
    const last = chunk.at(-1)
    if (last === undefined) return ""
    const isWhole = last < 0x80
    // Text without a state is decoded at a fraction of the cost.
    if (isAtCharacter && isWhole) return wholeDecoder.decode(chunk)
    isAtCharacter = isWhole
    return decoder.decode(chunk, inParts)
  }
}

/** A byte order mark is one only at the beginning of the first chunk. */
const wholeDecoder = new TextDecoder("utf-8", { ignoreBOM: true })

const inParts = { stream: true }
