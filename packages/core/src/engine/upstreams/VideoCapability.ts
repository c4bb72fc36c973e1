/** The video capability of an upstream. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { VideoUsage } from "../../values/usage/ModelUsage.ts"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"
import type { ByteRange, VideoContent, VideoOutput, VideoReport } from "./VideoReport.ts"

/**
 * One video job for one endpoint of an upstream. Fields that decide the price are set when they are known, because the
 * provider's default may differ from the charged one; other absent fields have the model's default.
 */
export interface VideoCall {
  /** The model's name at the upstream. */
  readonly model: string
  readonly prompt?: string
  /** Such as `16:9`. */
  readonly aspectRatio?: string
  /** Such as `720p` or `4K`. */
  readonly resolution?: string
  /** `<width>x<height>` in pixels; takes precedence over `resolution` and `aspectRatio`. */
  readonly size?: string
  /** Seconds, 1 or more. */
  readonly duration?: number
  readonly seed?: number
  /** Always set by Signalbox: from the request, else from the capabilities of the model, else false. */
  readonly generateAudio?: boolean
  /** At most one of each frame; take precedence over `inputReferences`. */
  readonly frameImages?: ReadonlyArray<FrameImage>
  readonly inputReferences?: ReadonlyArray<InputReference>
  /** The upstream's id of a completed job, which this one edits or extends. */
  readonly previousUpstreamId?: string
  /** For models that upscale. */
  readonly creativity?: number
  /** Above 0; for models that upscale. */
  readonly upscaleFactor?: number
  /**
   * Which of `duration` and `resolution` the caller left out. An option of the caller that says the same in the
   * provider's words takes precedence over them.
   */
  readonly defaulted?: ReadonlyArray<string>
  /** The caller's options for this provider, passed through unchanged. Keys are data. */
  readonly options?: Readonly<Record<string, unknown>>
  /** The customer's own credential; absent: the host's is used. */
  readonly credential?: Redacted.Redacted
  /** The same for every submit of the same job; 1 to 255 characters. */
  readonly idempotencyKey: string
}

/** A frame of the video. URLs of callers, `https:` or `data:`, are passed on without being fetched. */
export interface FrameImage {
  readonly frame: "first_frame" | "last_frame"
  readonly url: string
}

/** A reference for the look or sound of a video. */
export interface InputReference {
  readonly type: "image_url" | "audio_url" | "video_url"
  readonly url: string
}

/** A job that an upstream has accepted. */
export interface UpstreamVideoJob {
  /** The upstream's id of the job. */
  readonly upstreamId: string
  /** The credential the job was submitted with. */
  readonly credential?: Redacted.Redacted
}

/** The result of a submit. */
export interface VideoSubmission {
  readonly upstreamId: string
  /** The state of the job, usually `pending`. */
  readonly report: VideoReport
}

/** An output of a completed job, or a byte range of it. */
export interface VideoContentCall extends UpstreamVideoJob, VideoOutput {
  readonly range?: ByteRange
}

type UpstreamEffect<A, R = never> = Effect.Effect<A, UpstreamFailure, HttpClient.HttpClient | R>

/**
 * Makes videos. Each call sends one request, because retries, fallbacks and polling belong to the core. An
 * interruption must abort the request.
 */
export interface VideoCapability {
  /**
   * Starts a job. `isPossiblyAccepted` decides whether a job may exist despite a failure. To rule that out, fail with
   * kind `unreachable` or `timeout` and `phase: "connect"`, or with the status of a rejection.
   */
  readonly submit: (call: VideoCall) => UpstreamEffect<VideoSubmission>
  /** The state of a job. A failure concerns the poll only, not the job. */
  readonly poll: (job: UpstreamVideoJob) => UpstreamEffect<VideoReport>
  /**
   * Streams the bytes of an output. The `status` of a failure is 404 for an unknown output, 409 for a job that is not
   * completed, 410 for an expired output, and 416 for an invalid byte range. The scope closes the connection.
   */
  readonly getContent: (wanted: VideoContentCall) => UpstreamEffect<VideoContent, Scope.Scope>
  /** Idempotent. Stops a job that is not completed; absent: the upstream cannot. */
  readonly cancel?: (job: UpstreamVideoJob) => UpstreamEffect<void>
  /** Idempotent. Deletes the files of a completed or failed job; absent: the upstream cannot. */
  readonly remove?: (job: UpstreamVideoJob) => UpstreamEffect<void>
  /**
   * Two submits with one `idempotencyKey` create one job, so a submit with an unknown outcome may be retried. Absent:
   * they may create two.
   */
  readonly supportsIdempotencyKey?: true
  /**
   * Its models continue earlier videos unless the catalog says otherwise. Absent: only models with that capability in
   * the catalog do.
   */
  readonly supportsContinuation?: true
  /** The minimum time between two polls of a job in milliseconds; absent: `settings.videoPollMillis`. */
  readonly pollIntervalMillis?: number
  /** Fields of a request, and types of its references, that the API has no place for, so that they are left out. Absent: none. */
  readonly omittedFields?: ReadonlyArray<string>
  /** The API cannot say whether a video has sound, so its price follows the model's `generate_audio`. Absent: it can. */
  readonly hasFixedAudio?: true
  /**
   * It uses the host's own credential only and ignores `credential`, so customers' credentials are not used. Absent:
   * it uses `credential`.
   */
  readonly ignoresCredentials?: true
  /**
   * The maximum usage of the call, which is reserved before it. Without `seconds`, the longest duration of the model is
   * assumed; without `resolution`, the resolution of the call.
   */
  readonly estimateWorstCase: (call: VideoCall) => VideoUsage
}
