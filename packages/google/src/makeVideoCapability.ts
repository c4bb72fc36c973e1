/** Makes videos with Veo on Vertex AI. */
import { toGeminiFailure } from "@signalbox/core/dialects"
import {
  getContent,
  postJson,
  type Signer,
  UpstreamFailure,
  type UpstreamVideoJob,
  type VideoCall,
  type VideoCapability
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { findModel, parseOperation } from "./parseOperation.ts"
import { toPricedParameters, toVideoRequest } from "./toVideoRequest.ts"
import { findObjectName, type VideoStorage } from "./VideoStorage.ts"

export interface VideosEndpoint {
  /** The URL under which the models are. */
  readonly modelsUrl: string
  /** The URL of Google Cloud Storage. */
  readonly storageUrl: string
  readonly storage: VideoStorage
  readonly signer: Signer | undefined
}

/**
 * Videos are written to the storage and read from there, wherever an answer says that they are. The API cannot stop an
 * operation, and does not say how long a video is.
 */
export const makeVideoCapability = ({
  modelsUrl,
  signer,
  storage,
  storageUrl
}: VideosEndpoint): VideoCapability => {
  const toCredential = ({ credential }: Pick<VideoCall, "credential">) => ({
    apiKey: credential,
    ...(credential === undefined ? { signer } : undefined),
    toFailure: toGeminiFailure
  })
  const toUrl = (model: string, method: string) =>
    `${modelsUrl}/${encodeURIComponent(model)}:${method}`

  const fetchOperation = (job: UpstreamVideoJob) =>
    postJson({
      ...toCredential(job),
      url: toUrl(findModel(job.upstreamId) ?? "", "fetchPredictOperation"),
      body: { operationName: job.upstreamId }
    })

  return {
    submit: (call) =>
      Effect.fromResult(toVideoRequest(call, storage.folder)).pipe(
        Effect.flatMap((body) =>
          postJson({
            ...toCredential(call),
            url: toUrl(call.model, "predictLongRunning"),
            body
          })
        ),
        Effect.flatMap((json) => Effect.fromResult(parseOperation(json))),
        Effect.map(({ end, upstreamId }) => ({ upstreamId, report: end ?? { status: "pending" } }))
      ),
    poll: (job) =>
      Effect.map(
        Effect.flatMap(fetchOperation(job), (json) => Effect.fromResult(parseOperation(json))),
        ({ end }) => end ?? { status: "in_progress" }
      ),
    getContent: (wanted) => {
      const name = findObjectName(storage, wanted.url)
      return name === undefined
        ? Effect.fail(
            new UpstreamFailure({
              kind: "invalid_answer",
              detail: "the video is not in the storage of the upstream"
            })
          )
        : getContent({
            ...toCredential(wanted),
            url: `${storageUrl}/storage/v1/b/${storage.bucket}/o/${encodeURIComponent(name)}?alt=media`,
            range: wanted.range
          })
    },
    estimateWorstCase: (call) => {
      const { frameImages = [], inputReferences = [], options = {} } = call
      const videos = Math.max(1, parseCount(options["sampleCount"]) ?? 1)
      const { durationSeconds, resolution } = toPricedParameters(call)
      const seconds = parseCount(durationSeconds)
      return {
        videos,
        ...(seconds === undefined ? undefined : { seconds: seconds * videos }),
        // Prices are named like the resolutions of calls, such as 4K.
        ...(call.resolution?.toLowerCase() !== resolution && typeof resolution === "string"
          ? { resolution: resolution.replace(/k$/, "K") }
          : undefined),
        images: (frameImages.length > 0 ? frameImages : inputReferences).length
      }
    }
  }
}

/** A caller's options for this provider are sent unchanged, and may multiply the cost. */
const parseCount = (value: unknown): number | undefined => {
  const count = Math.min(Math.ceil(Number(value)), 1e6)
  return count > 0 ? count : undefined
}
