/** Parses an untrusted video job of OpenAI's API. */
import {
  findFailureKind,
  UpstreamFailure,
  UpstreamVideoId,
  type VideoReport,
  type VideoUsage
} from "@signalbox/core/upstream"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

export interface Video {
  readonly upstreamId: string
  readonly report: VideoReport
}

export const parseVideo = (json: unknown): Result.Result<Video, UpstreamFailure> => {
  const video = Option.getOrUndefined(decodeVideo(json))
  if (video !== undefined)
    return Result.succeed({ upstreamId: video.id, report: toVideoReport(video) })
  const { message } = parseError(Option.getOrUndefined(decodeError(json))?.error)
  return Result.fail(
    message === undefined
      ? new UpstreamFailure({ kind: "invalid_answer", detail: "the answer is no video job" })
      : new UpstreamFailure({ kind: "server_error", detail: message })
  )
}

const VideoObject = Schema.Struct({
  id: UpstreamVideoId,
  // A missing or malformed field here does not fail the job.
  status: Schema.optionalKey(Schema.Unknown),
  error: Schema.optionalKey(Schema.Unknown),
  seconds: Schema.optionalKey(Schema.Unknown),
  expires_at: Schema.optionalKey(Schema.Unknown)
})
const decodeVideo = Schema.decodeUnknownOption(VideoObject)
const decodeError = Schema.decodeUnknownOption(Schema.Struct({ error: Schema.Unknown }))

const toVideoReport = (video: typeof VideoObject.Type): VideoReport => {
  const { error, status } = video
  switch (status) {
    case "queued":
      return { status: "pending" }
    case "in_progress":
      return { status }
    case "completed":
      return toCompletedReport(video)
    case "failed": {
      const { code, message } = parseError(error)
      const kind = (code === undefined ? undefined : findFailureKind(code)) ?? "server_error"
      return { status, kind, ...(message === undefined ? undefined : { message }) }
    }
    default:
      return {
        status: "unknown",
        upstreamStatus: typeof status === "string" ? status.slice(0, 100) : ""
      }
  }
}

const toCompletedReport = ({ expires_at, seconds }: typeof VideoObject.Type): VideoReport => {
  const length = Option.getOrUndefined(decodeSeconds(seconds))
  const expiry = Option.getOrUndefined(decodeExpiry(expires_at))
  const usage: VideoUsage = {
    videos: 1,
    ...(length === undefined ? undefined : { seconds: Number(length) })
  }
  return {
    status: "completed",
    outputs: [{ index: 0 }],
    usage,
    ...(expiry === undefined ? undefined : { expiresAtMillis: expiry * 1000 })
  }
}

/** A number in a string; at most a day. */
const decodeSeconds = Schema.decodeUnknownOption(
  Schema.Union([
    Schema.Finite.check(Schema.isBetween({ minimum: 0.001, maximum: 86_400 })),
    Schema.String.check(Schema.isPattern(/^[1-9]\d{0,4}(?:\.\d{1,3})?$/))
  ])
)

/** Unix seconds. */
const decodeExpiry = Schema.decodeUnknownOption(
  Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 1e11 }))
)

const parseError = (error: unknown): { readonly code?: string; readonly message?: string } => {
  const { code, message } = Option.getOrElse(decodeDetails(error), () => ({
    code: undefined,
    message: typeof error === "string" ? error : undefined
  }))
  return {
    ...(typeof code === "string" ? { code } : undefined),
    // Truncated, so that an upstream cannot fill logs and records.
    ...(typeof message === "string" ? { message: message.slice(0, 500) } : undefined)
  }
}

const decodeDetails = Schema.decodeUnknownOption(
  Schema.Struct({
    code: Schema.optionalKey(Schema.Unknown),
    message: Schema.optionalKey(Schema.Unknown)
  })
)
