/** Videos in process, through the same door as the wire. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { CallerConfig } from "../auth/CallerConfig.ts"
import { type Callers, resolveCaller } from "../auth/Callers.ts"
import { Settings } from "../Settings.ts"
import type { ByteRange } from "../upstreams/VideoContent.ts"
import type {
  InvalidRequest,
  ResourceNotFound,
  RequestTooLarge
} from "../values/errors/RequestErrors.ts"
import { stringifyRequest } from "../values/json/stringifyRequest.ts"
import { parseVideoRequest } from "./request/parseVideoRequest.ts"
import { type VideoResponse, toVideoResponse } from "./toVideoResponse.ts"
import type { VideoRequest } from "./request/VideoRequest.ts"
import { type ContentError, type SubmitError, Videos } from "./Videos.ts"

/** Who asks; default: the application itself, in the default workspace of its own account. */
export interface VideoCallerOptions {
  readonly caller?: CallerConfig
}

export interface SubmitOptions extends VideoCallerOptions {
  /** 1..255 characters: with the same key and request there is one job. */
  readonly idempotencyKey?: string
  /** Where the host serves the box, such as `/ai`: addresses of the job begin with it. Default: the root. */
  readonly mount?: string
}

export interface DownloadOptions extends VideoCallerOptions {
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
) => Effect.Effect<VideoResponse, SubmitError | RequestTooLarge, Callers | Videos> =
  Effect.fnUntraced(function* (request, { caller, idempotencyKey, mount = "" } = {}) {
    const settings = yield* Settings
    const videos = yield* Videos
    const { bytes, text } = yield* stringifyRequest(request)
    const parsed = yield* Effect.fromResult(parseVideoRequest(text, { bytes, settings }))
    return toVideoResponse(
      yield* videos.submit(yield* resolveCaller(caller), parsed, {
        mount,
        idempotencyKey: idempotencyKey
      }),
      settings
    )
  })

/** Finds a job of the caller's workspace. */
export const getVideo = (
  id: string,
  { caller }: VideoCallerOptions = {}
): Effect.Effect<VideoResponse, InvalidRequest | ResourceNotFound, Callers | Videos> =>
  Videos.use((videos) =>
    resolveCaller(caller).pipe(
      Effect.flatMap((resolved) => videos.get(resolved, id)),
      Effect.zipWith(Settings, (job, settings) => toVideoResponse(job, settings))
    )
  )

/** Stops a job that is not over. */
export const cancelVideo = (
  id: string,
  { caller }: VideoCallerOptions = {}
): Effect.Effect<VideoResponse, InvalidRequest | ResourceNotFound, Callers | Videos> =>
  Videos.use((videos) =>
    resolveCaller(caller).pipe(
      Effect.flatMap((resolved) => videos.cancel(resolved, id)),
      Effect.zipWith(Settings, (job, settings) => toVideoResponse(job, settings))
    )
  )

/** The scope closes once the body has been read or cancelled; closed before, it breaks the body off. */
export const downloadVideo: (
  id: string,
  scope: Scope.Closeable,
  options?: DownloadOptions
) => Effect.Effect<VideoFile, ContentError | InvalidRequest, Callers | Videos> = Effect.fnUntraced(
  function* (id, scope, { caller, index = 0, range } = {}) {
    const videos = yield* Videos
    const { bytes, contentType, length } = yield* resolveCaller(caller).pipe(
      Effect.flatMap((resolved) => videos.getContent(resolved, id, { index, range })),
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
  }
)
