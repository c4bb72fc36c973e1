/** What an upstream must be able to do to make videos. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { VideoUsage } from "../values/usage/VideoUsage.ts"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"
import type { ByteRange, VideoContent } from "./VideoContent.ts"
import type { VideoOutput, VideoReport } from "./VideoReport.ts"

/** One video job as it reaches one endpoint of one upstream; absent means the model's own default. */
export interface VideoCall {
  /** The model's name at the upstream. */
  readonly model: string
  readonly prompt?: string
  /** Such as `16:9`. */
  readonly aspectRatio?: string
  /** Such as `720p` or `4K`. */
  readonly resolution?: string
  /** `<width>x<height>` in pixels; says the same as `resolution` and `aspectRatio` together, and wins over them. */
  readonly size?: string
  /** Seconds, 1 or more. */
  readonly duration?: number
  readonly seed?: number
  /** Always stated by Signalbox: as the request says, else as the model is able to, else false. */
  readonly generateAudio?: boolean
  /** At most one of each; they win over `inputReferences`. */
  readonly frameImages?: ReadonlyArray<FrameImage>
  readonly inputReferences?: ReadonlyArray<InputReference>
  /** The upstream's own id of a completed job, which this one edits or extends. */
  readonly previousUpstreamId?: string
  /** For models that upscale. */
  readonly creativity?: number
  /** Above 0; for models that upscale. */
  readonly upscaleFactor?: number
  /** What the caller wrote for this provider alone, passed on as it is. Its keys are data. */
  readonly options?: Readonly<Record<string, unknown>>
  /** The customer's own credential, when the job runs on one. */
  readonly credential?: Redacted.Redacted
  /** The same for every submit of the same job; 1..255 characters. */
  readonly idempotencyKey: string
}

/** Addresses of callers are passed on and not fetched: `https:` or `data:`. */
export interface FrameImage {
  readonly frame: "first_frame" | "last_frame"
  readonly url: string
}

/** What a video is to look or sound like. */
export interface InputReference {
  readonly type: "image_url" | "audio_url" | "video_url"
  readonly url: string
}

/** A job that an upstream has accepted. */
export interface UpstreamVideoJob {
  /** The upstream's own name for it. */
  readonly upstreamId: string
  /** The one it was submitted with. */
  readonly credential?: Redacted.Redacted
}

/** A job that an upstream has taken. */
export interface VideoSubmission {
  readonly upstreamId: string
  /** How it stands already, mostly `pending`. */
  readonly report: VideoReport
}

/** One output of a completed job, or a stretch of it. */
export interface VideoContentCall extends UpstreamVideoJob, VideoOutput {
  readonly range?: ByteRange
}

type UpstreamEffect<A, R = never> = Effect.Effect<A, UpstreamFailure, HttpClient.HttpClient | R>

/**
 * Makes each request once: retries and fallbacks belong to the router alone, and polling to whoever keeps
 * the job. An interruption must abort what is in flight.
 */
export interface VideoCapability {
  /**
   * Starts a job. `isPossiblyAccepted` tells of a failure whether there may be a job all the same; to say that
   * there is none, fail as `unreachable` or `timeout` with `phase: "connect"`, or with the status of a refusal.
   */
  readonly submit: (call: VideoCall) => UpstreamEffect<VideoSubmission>
  /** How a job stands. A failure is one of the asking: it says nothing of the job. */
  readonly poll: (job: UpstreamVideoJob) => UpstreamEffect<VideoReport>
  /**
   * The bytes of an output, as they come. 404, 409 and 410 as the `status` of a failure mean: unknown, not
   * completed, no longer there; 416: no such stretch. The connection is closed with the scope.
   */
  readonly getContent: (wanted: VideoContentCall) => UpstreamEffect<VideoContent, Scope.Scope>
  /** Stops a job that is not completed; absent where the upstream cannot. Harmless twice. */
  readonly cancel?: (job: UpstreamVideoJob) => UpstreamEffect<void>
  /** Deletes what the upstream keeps of a completed or failed job; absent where it cannot. Harmless twice. */
  readonly remove?: (job: UpstreamVideoJob) => UpstreamEffect<void>
  /**
   * Two submits with one `idempotencyKey` make one job, so that a submit whose fate is unknown may be made
   * again. Absent: they may make two.
   */
  readonly supportsIdempotencyKey?: true
  /**
   * Its models take `continues`, but for those of which the catalog says otherwise. Absent: only those of
   * which the catalog says so do.
   */
  readonly supportsContinuation?: true
  /** How long in milliseconds it asks to be left alone between two polls of a job; absent: it does not say. */
  readonly pollIntervalMillis?: number
  /**
   * It runs on the host's own credential alone and does not heed `credential`, so that no customer's is used
   * there. Absent: it heeds it.
   */
  readonly ignoresCredentials?: true
  /**
   * The most the call can use; what a budget reserves before it is made. Absent `seconds`: the call does not
   * say how long, and the longest that the model can make is to be assumed.
   */
  readonly estimateWorstCase: (call: VideoCall) => VideoUsage
}
