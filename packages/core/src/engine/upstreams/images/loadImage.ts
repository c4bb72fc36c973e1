/** Loads an image that a caller refers to, for providers that take files only. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { Settings } from "../../../instance/Settings.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { ExternalContentClient } from "../transport/ExternalContentClient.ts"
import { sendOnce, withoutTracing } from "../transport/sendOnce.ts"

/** A file with an image. */
export interface LoadedImage {
  /** Such as `image/png`. */
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/**
 * The file of a `data:` address, or the one at another address, which is fetched by `ExternalContentClient`: it checks every
 * address that it connects to. An address that holds no image is the mistake of the request, a `bad_request`. Without the
 * client, any address but a `data:` one is an `unsupported_parameter`.
 */
export const loadImage = (address: string): Effect.Effect<LoadedImage, UpstreamFailure> =>
  /^data:/i.test(address) ? Effect.fromResult(parseDataAddress(address)) : fetchImage(address)

const parseDataAddress = (address: string): Result.Result<LoadedImage, UpstreamFailure> => {
  const comma = address.indexOf(",")
  const [, mediaType] =
    /^data:(image\/[\w.+-]+)(?:;[^;,]*)*;base64$/i.exec(address.slice(0, Math.max(0, comma))) ?? []
  if (mediaType === undefined) return Result.fail(noImage)
  const bytes = Base64.decode(address.slice(comma + 1))
  return Result.isFailure(bytes) || bytes.success.length === 0
    ? Result.fail(noImage)
    : Result.succeed({ mediaType: mediaType.toLowerCase(), bytes: bytes.success })
}

const fetchImage = (address: string): Effect.Effect<LoadedImage, UpstreamFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const settings = yield* Settings
      const client = yield* ExternalContentClient
      if (client === undefined) {
        return yield* new UpstreamFailure({
          kind: "unsupported_parameter",
          detail: "images of a request must be data addresses for this provider"
        })
      }
      const response = yield* Effect.mapError(
        sendOnce(HttpClient.withScope(client), HttpClientRequest.get(address), settings),
        () => unreachableImage
      )
      if (response.status < 200 || response.status > 299) return yield* unreachableImage
      const [, mediaType] = /^(image\/[\w.+-]+)/i.exec(response.headers["content-type"] ?? "") ?? []
      if (mediaType === undefined) return yield* noImage
      const chunks: Array<Uint8Array> = []
      let size = 0
      yield* Effect.mapError(
        Stream.runForEach(response.stream, (chunk) => {
          size += chunk.length
          if (size > maxImageBytes) return Effect.fail(largeImage)
          chunks.push(chunk)
          return Effect.void
        }),
        (error) => (error === largeImage ? largeImage : unreachableImage)
      )
      return { mediaType: mediaType.toLowerCase(), bytes: joinChunks(chunks, size) }
    })
  ).pipe(withoutTracing)

const joinChunks = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

/** https://platform.openai.com/docs/api-reference/images/createEdit: each file has less than 50 MB. */
const maxImageBytes = 50_000_000

const noImage = new UpstreamFailure({
  kind: "bad_request",
  detail: "an image of the request is no file with an image"
})

const unreachableImage = new UpstreamFailure({
  kind: "bad_request",
  detail: "an image of the request cannot be fetched from its address"
})

const largeImage = new UpstreamFailure({
  kind: "bad_request",
  detail: `an image of the request is larger than ${maxImageBytes} bytes`
})
