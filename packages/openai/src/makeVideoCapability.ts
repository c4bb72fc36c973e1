/** Makes videos at a server with OpenAI's videos API. */
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
import * as Result from "effect/Result"
import { parseVideo } from "./parseVideo.ts"
import { toPricedFields, toRemixBody, toVideoForm } from "./toVideoForm.ts"
import { toVideoSize } from "./toVideoSize.ts"

export interface VideosEndpoint {
  /** The URL under which `/videos` is. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  /** The header for an idempotency key, if the server supports one. */
  readonly idempotencyHeader: string | undefined
}

export const makeVideoCapability = (endpoint: VideosEndpoint): VideoCapability => {
  const { apiKey, baseUrl, headers, idempotencyHeader } = endpoint
  const toJobRequest = ({ credential, upstreamId }: UpstreamVideoJob, subpath = "") => ({
    url: `${baseUrl}/videos/${encodeURIComponent(upstreamId)}${subpath}`,
    apiKey: credential ?? apiKey,
    headers
  })
  const toSubmitRequest = (call: VideoCall) => ({
    apiKey: call.credential ?? apiKey,
    headers,
    nonSecretHeaders:
      idempotencyHeader === undefined ? undefined : { [idempotencyHeader]: call.idempotencyKey }
  })

  const create = (call: VideoCall) =>
    Effect.flatMap(Effect.fromResult(toVideoForm(call)), (form) =>
      postForm({ ...toSubmitRequest(call), url: `${baseUrl}/videos`, form })
    )

  const remix = (call: VideoCall, upstreamId: string) =>
    Effect.flatMap(Effect.fromResult(toRemixBody(call)), (body) =>
      postJson({ ...toSubmitRequest(call), url: toJobRequest({ upstreamId }, "/remix").url, body })
    )

  return {
    omittedFields: ["seed", "generate_audio", "audio_url", "video_url"],
    submit: (call) =>
      Effect.flatMap(
        call.previousUpstreamId === undefined ? create(call) : remix(call, call.previousUpstreamId),
        (json) => Effect.fromResult(parseVideo(json))
      ),
    poll: (job) =>
      Effect.flatMap(getJson(toJobRequest(job)), (json) =>
        Effect.map(Effect.fromResult(parseVideo(json)), ({ report }) => report)
      ),
    getContent: (wanted) =>
      getContent({ ...toJobRequest(wanted, "/content"), range: wanted.range }),
    remove: (job) =>
      Effect.asVoid(
        Effect.catchIf(
          deleteJson(toJobRequest(job)),
          ({ status }) => status === 404,
          () => Effect.void
        )
      ),
    ...(idempotencyHeader === undefined ? undefined : { supportsIdempotencyKey: true }),
    supportsContinuation: true,
    hasFixedAudio: true,
    estimateWorstCase: (call) => {
      const { frameImages = [], inputReferences = [], options = {} } = call
      const videos = Math.max(1, parseCount(options["n"]) ?? 1)
      const size = Result.getOrUndefined(toVideoSize(call))
      const sent = toPricedFields(call, size)
      const seconds = parseCount(sent.seconds)
      return {
        videos,
        ...(seconds === undefined ? undefined : { seconds: seconds * videos }),
        ...(typeof sent.size === "string" && sent.size !== size
          ? { resolution: sent.size }
          : undefined),
        images: (frameImages.length > 0
          ? frameImages
          : inputReferences.filter(({ type }) => type === "image_url")
        ).length
      }
    }
  }
}

/** A caller's options for this provider are sent unchanged, and may multiply the cost. */
const parseCount = (value: unknown): number | undefined => {
  const count = Math.min(Math.ceil(Number(value)), 1e6)
  return count > 0 ? count : undefined
}
