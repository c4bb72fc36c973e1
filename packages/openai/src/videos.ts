/** Makes videos at an endpoint that speaks OpenAI's dialect of them. */
import {
  deleteJson,
  getContent,
  getJson,
  postForm,
  postJson,
  type UpstreamVideoJob,
  type VideoCall,
  type VideoCapability
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { readVideo } from "./readVideo.ts"
import { remixBody, videoForm } from "./videoForm.ts"

export interface VideosEndpoint {
  /** Where `/videos` stands. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  /** The header in which the server takes an idempotency key, if it takes one. */
  readonly idempotencyHeader: string | undefined
}

export const videos = (endpoint: VideosEndpoint): VideoCapability => {
  const { apiKey, baseUrl, headers, idempotencyHeader } = endpoint
  const at = ({ credential, upstreamId }: UpstreamVideoJob, below = "") => ({
    url: `${baseUrl}/videos/${encodeURIComponent(upstreamId)}${below}`,
    apiKey: credential ?? apiKey,
    headers
  })
  const submission = (call: VideoCall) => ({
    apiKey: call.credential ?? apiKey,
    headers,
    plainHeaders:
      idempotencyHeader === undefined ? undefined : { [idempotencyHeader]: call.idempotencyKey }
  })

  const create = (call: VideoCall) =>
    Effect.flatMap(Effect.fromResult(videoForm(call)), (form) =>
      postForm({ ...submission(call), url: `${baseUrl}/videos`, form })
    )

  const remix = (call: VideoCall, upstreamId: string) =>
    Effect.flatMap(Effect.fromResult(remixBody(call)), (body) =>
      postJson({ ...submission(call), url: at({ upstreamId }, "/remix").url, body })
    )

  return {
    submit: (call) =>
      Effect.flatMap(
        call.continues === undefined ? create(call) : remix(call, call.continues),
        (json) => Effect.fromResult(readVideo(json))
      ),
    poll: (job) =>
      Effect.flatMap(getJson(at(job)), (json) =>
        Effect.map(Effect.fromResult(readVideo(json)), ({ report }) => report)
      ),
    content: (wanted) => getContent({ ...at(wanted, "/content"), range: wanted.range }),
    remove: (job) =>
      Effect.asVoid(
        Effect.catchIf(
          deleteJson(at(job)),
          ({ status }) => status === 404,
          () => Effect.void
        )
      ),
    ...(idempotencyHeader === undefined ? undefined : { takesIdempotencyKey: true }),
    continuesVideos: true,
    pollEveryMillis: 10_000,
    worstCase: ({ duration, frameImages = [], inputReferences = [], options = {} }) => {
      const videos = Math.max(1, countIn(options["n"]) ?? 1)
      const seconds = duration ?? countIn(options["seconds"])
      return {
        videos,
        ...(seconds === undefined ? undefined : { seconds: seconds * videos }),
        images: (frameImages.length > 0
          ? frameImages
          : inputReferences.filter(({ type }) => type === "image_url")
        ).length
      }
    }
  }
}

/** What a caller wrote for this provider alone may multiply what it costs; it goes into a form as it is. */
const countIn = (value: unknown): number | undefined => {
  const count = Math.min(Math.ceil(Number(value)), 1e6)
  return count > 0 ? count : undefined
}
