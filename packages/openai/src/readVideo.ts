/** A video job as OpenAI's dialect shows it, read without trusting any of it. */
import {
  kindOfCode,
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

export const readVideo = (json: unknown): Result.Result<Video, UpstreamFailure> => {
  const video = Option.getOrUndefined(read(json))
  if (video !== undefined) return Result.succeed({ upstreamId: video.id, report: reportOf(video) })
  const { message } = errorOf(Option.getOrUndefined(readError(json))?.error)
  return Result.fail(
    message === undefined
      ? new UpstreamFailure({ kind: "invalid_answer", detail: "the answer is no video job" })
      : new UpstreamFailure({ kind: "server_error", detail: message })
  )
}

const VideoObject = Schema.Struct({
  id: UpstreamVideoId,
  // What a job is not lost for when it is missing or has another form.
  status: Schema.optionalKey(Schema.Unknown),
  error: Schema.optionalKey(Schema.Unknown),
  seconds: Schema.optionalKey(Schema.Unknown),
  expires_at: Schema.optionalKey(Schema.Unknown)
})
const read = Schema.decodeUnknownOption(VideoObject)
const readError = Schema.decodeUnknownOption(Schema.Struct({ error: Schema.Unknown }))

const reportOf = (video: typeof VideoObject.Type): VideoReport => {
  const { error, status } = video
  switch (status) {
    case "queued":
      return { status: "pending" }
    case "in_progress":
      return { status }
    case "completed":
      return completed(video)
    case "failed": {
      const { code, message } = errorOf(error)
      const kind = (code === undefined ? undefined : kindOfCode(code)) ?? "server_error"
      return { status, kind, ...(message === undefined ? undefined : { message }) }
    }
    default:
      return { status: "unknown", said: typeof status === "string" ? status.slice(0, 100) : "" }
  }
}

const completed = ({ expires_at, seconds }: typeof VideoObject.Type): VideoReport => {
  const length = Option.getOrUndefined(readSeconds(seconds))
  const expiry = Option.getOrUndefined(readExpiry(expires_at))
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

/** Written as a string; up to a day. */
const readSeconds = Schema.decodeUnknownOption(
  Schema.Union([
    Schema.Finite.check(Schema.isBetween({ minimum: 0.001, maximum: 86_400 })),
    Schema.String.check(Schema.isPattern(/^[1-9]\d{0,4}(?:\.\d{1,3})?$/))
  ])
)

/** Unix seconds. */
const readExpiry = Schema.decodeUnknownOption(
  Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 1e11 }))
)

const errorOf = (error: unknown): { readonly code?: string; readonly message?: string } => {
  const { code, message } = Option.getOrElse(readDetails(error), () => ({
    code: undefined,
    message: typeof error === "string" ? error : undefined
  }))
  return {
    ...(typeof code === "string" ? { code } : undefined),
    // Clipped so that an upstream cannot fill logs and records.
    ...(typeof message === "string" ? { message: message.slice(0, 500) } : undefined)
  }
}

const readDetails = Schema.decodeUnknownOption(
  Schema.Struct({
    code: Schema.optionalKey(Schema.Unknown),
    message: Schema.optionalKey(Schema.Unknown)
  })
)
