/** Parses an untrusted operation of Google's API, which makes videos. */
import { toGeminiFailure } from "@signalbox/core/dialects"
import {
  UpstreamFailure,
  UpstreamVideoId,
  type VideoOutput,
  type VideoReport
} from "@signalbox/core/upstream"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

export interface Operation {
  readonly upstreamId: string
  /** Undefined: it is not done. */
  readonly end: VideoReport | undefined
}

export const parseOperation = (json: unknown): Result.Result<Operation, UpstreamFailure> => {
  const operation = Option.getOrUndefined(decodeOperation(json))
  if (operation === undefined || findModel(operation.name) === undefined) {
    return Result.fail(
      new UpstreamFailure({
        kind: "invalid_answer",
        detail: "the answer is no operation of a model"
      })
    )
  }
  const { done, error, name, response } = operation
  return Result.succeed({
    upstreamId: name,
    end: done === true ? (toFailed(error) ?? toReport(response)) : undefined
  })
}

/** The model in the name of an operation. */
export const findModel = (name: string): string | undefined =>
  /\/models\/([^/]+)\/operations\/[^/]+$/.exec(name)?.[1]

const decodeOperation = Schema.decodeUnknownOption(
  Schema.Struct({
    name: UpstreamVideoId,
    // A malformed field here does not fail the job.
    done: Schema.optionalKey(Schema.Unknown),
    error: Schema.optionalKey(Schema.Unknown),
    response: Schema.optionalKey(Schema.Unknown)
  })
)

const toFailed = (json: unknown): VideoReport | undefined => {
  const error = Option.getOrUndefined(decodeError(json))
  if (error === undefined) return undefined
  const status = statuses.get(error.code) ?? 500
  const { detail, kind } = toGeminiFailure(status, {}, JSON.stringify({ error }), 0)
  return { status: "failed", kind, ...(detail === undefined ? undefined : { message: detail }) }
}

const decodeError = Schema.decodeUnknownOption(
  Schema.Struct({
    code: Schema.Finite,
    message: Schema.optionalKey(Schema.Unknown),
    details: Schema.optionalKey(Schema.Unknown)
  })
)

/** The status of a response by the code of an operation: https://cloud.google.com/apis/design/errors. */
const statuses: ReadonlyMap<number, number> = new Map([
  [1, 499],
  [3, 400],
  [4, 504],
  [5, 404],
  [6, 409],
  [7, 403],
  [8, 429],
  [9, 400],
  [10, 409],
  [11, 400],
  [12, 501],
  [14, 503],
  [16, 401]
])

const toReport = (response: unknown): VideoReport => {
  const found: typeof Response.Type = Option.getOrElse(decodeResponse(response), () => ({}))
  const { raiMediaFilteredReasons: reasons = [], videos = [] } = found
  const [first, ...others] = videos
    .slice(0, maxOutputs)
    .flatMap((video) => Option.toArray(decodeVideo(video)))
    .map(({ gcsUri }, index): VideoOutput => ({ index, url: gcsUri }))
  if (first !== undefined) {
    const outputs: readonly [VideoOutput, ...ReadonlyArray<VideoOutput>] = [first, ...others]
    return { status: "completed", outputs, usage: { videos: outputs.length } }
  }
  const reason = reasons.find((each) => typeof each === "string")
  return reason === undefined
    ? { status: "failed", kind: "server_error", message: "the operation made no video" }
    : { status: "failed", kind: "content_refused", message: reason.slice(0, 500) }
}

/** More than Veo makes at once. */
const maxOutputs = 100

const Response = Schema.Struct({
  videos: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  raiMediaFilteredReasons: Schema.optionalKey(Schema.Array(Schema.Unknown))
})
const decodeResponse = Schema.decodeUnknownOption(Response)

const decodeVideo = Schema.decodeUnknownOption(
  Schema.Struct({ gcsUri: Schema.String.check(Schema.isMaxLength(2_048)) })
)
