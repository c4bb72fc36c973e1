/** Makes videos at a server with OpenRouter's HTTP API. */
import {
  getContent,
  getJson,
  postJson,
  type UpstreamVideoJob,
  type VideoCall,
  type VideoCapability
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { parseVideoJob } from "./parseVideoJob.ts"

export interface VideosEndpoint {
  /** The URL under which `/videos` is. */
  readonly root: string
  readonly apiKey: Redacted.Redacted | undefined
  /** The header for an idempotency key, if the server supports one. */
  readonly idempotencyHeader: string | undefined
}

export const makeVideoCapability = ({
  apiKey,
  idempotencyHeader,
  root
}: VideosEndpoint): VideoCapability => {
  const toJobRequest = ({ credential, upstreamId }: UpstreamVideoJob, subpath = "") => ({
    url: `${root}/videos/${encodeURIComponent(upstreamId)}${subpath}`,
    apiKey: credential ?? apiKey
  })
  return {
    submit: (call) =>
      Effect.flatMap(
        postJson({
          url: `${root}/videos`,
          apiKey: call.credential ?? apiKey,
          nonSecretHeaders:
            idempotencyHeader === undefined
              ? undefined
              : { [idempotencyHeader]: call.idempotencyKey },
          body: toVideoRequestBody(call)
        }),
        (json) => Effect.fromResult(parseVideoJob(json))
      ),
    poll: (job) =>
      Effect.flatMap(getJson(toJobRequest(job)), (json) =>
        Effect.map(Effect.fromResult(parseVideoJob(json)), ({ report }) => report)
      ),
    getContent: (wanted) =>
      getContent({
        ...toJobRequest(wanted, `/content?index=${wanted.index}`),
        range: wanted.range
      }),
    ...(idempotencyHeader === undefined ? undefined : { supportsIdempotencyKey: true }),
    estimateWorstCase: ({ duration, frameImages = [], inputReferences = [] }) => ({
      videos: 1,
      ...(duration === undefined ? undefined : { seconds: duration }),
      images: (frameImages.length > 0
        ? frameImages
        : inputReferences.filter(({ type }) => type === "image_url")
      ).length
    })
  }
}

/** JSON omits undefined fields. */
const toVideoRequestBody = (call: VideoCall): object => ({
  model: call.model,
  prompt: call.prompt,
  aspect_ratio: call.aspectRatio,
  resolution: call.resolution,
  size: call.size,
  duration: call.duration,
  seed: call.seed,
  generate_audio: call.generateAudio,
  frame_images: call.frameImages?.map(({ frame, url }) => ({
    type: "image_url",
    image_url: { url },
    frame_type: frame
  })),
  input_references: call.inputReferences?.map(({ type, url }) => ({ type, [type]: { url } })),
  previous_job_id: call.previousUpstreamId,
  creativity: call.creativity,
  upscale_factor: call.upscaleFactor,
  provider: call.options === undefined ? undefined : { options: call.options }
})
