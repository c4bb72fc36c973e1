/** Videos in process, through the same door as the wire. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type Caller, host } from "../auth/Caller.ts"
import { Settings } from "../Settings.ts"
import type { ByteRange } from "../upstreams/VideoContent.ts"
import type { Missing, RequestTooLarge } from "../values/RequestErrors.ts"
import { writtenJson } from "../values/writtenJson.ts"
import { parseVideoRequest } from "./parseVideoRequest.ts"
import { type ToldVideo, toldVideo } from "./toldVideo.ts"
import type { VideoRequest } from "./VideoRequest.ts"
import { type ContentError, type SubmitError, Videos } from "./Videos.ts"

/** Who asks; default: the application itself, in the default workspace of its own account. */
export interface AskedBy {
  readonly caller?: Caller
}

export interface SubmitOptions extends AskedBy {
  /** 1..255 characters: with the same key and request there is one job. */
  readonly idempotencyKey?: string
}

export interface DownloadOptions extends AskedBy {
  /** Which of the files, from 0; default: the first. */
  readonly index?: number
  /** Default: all of it. */
  readonly range?: ByteRange
}

/**
 * A file as it comes: read it to its end, or cancel it, for until then it holds a connection, and a box that closes
 * waits for it as for a request.
 */
export interface VideoFile {
  readonly contentType: string
  /** Bytes in `body`; undefined when nobody says. */
  readonly length: number | undefined
  readonly body: ReadableStream<Uint8Array>
}

/** Through JSON like one from the wire, so what cannot be JSON is an `InvalidRequest`. */
export const submitVideo: (
  request: VideoRequest,
  options?: SubmitOptions
) => Effect.Effect<ToldVideo, SubmitError | RequestTooLarge, Videos> = Effect.fnUntraced(function* (
  request,
  { caller = host, idempotencyKey } = {}
) {
  const settings = yield* Settings
  const videos = yield* Videos
  const { bytes, text } = yield* writtenJson(request)
  const parsed = yield* Effect.fromResult(parseVideoRequest(text, { bytes, settings }))
  return toldVideo(yield* videos.submit(caller, parsed, { mount: "", repeatKey: idempotencyKey }))
})

export const getVideo = (
  id: string,
  { caller = host }: AskedBy = {}
): Effect.Effect<ToldVideo, Missing, Videos> =>
  Videos.use((videos) => Effect.map(videos.find(caller, id), (job) => toldVideo(job)))

export const cancelVideo = (
  id: string,
  { caller = host }: AskedBy = {}
): Effect.Effect<ToldVideo, Missing, Videos> =>
  Videos.use((videos) => Effect.map(videos.cancel(caller, id), (job) => toldVideo(job)))

/** The scope closes once the body has been read or cancelled; closed before, it breaks the body off. */
export const downloadVideo: (
  id: string,
  scope: Scope.Closeable,
  options?: DownloadOptions
) => Effect.Effect<VideoFile, ContentError, Videos> = Effect.fnUntraced(function* (
  id,
  scope,
  { caller = host, index = 0, range } = {}
) {
  const videos = yield* Videos
  const { bytes, contentType, length } = yield* videos.content(caller, id, { index, range }).pipe(
    Effect.provideService(Scope.Scope, scope),
    Effect.onError(() => Scope.close(scope, Exit.void))
  )
  return {
    contentType,
    length,
    body: Stream.toReadableStream(
      bytes.pipe(
        Stream.onStart(Effect.withFiber((fiber) => Effect.sync(() => Fiber.runIn(fiber, scope)))),
        Stream.ensuring(Scope.close(scope, Exit.void))
      )
    )
  }
})
