/** Parses an untrusted video job of the HTTP API. */
import { UpstreamFailure, UpstreamVideoId, type VideoReport } from "@signalbox/core/upstream"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { findErrorMessage } from "./findErrorMessage.ts"
import { parseCost } from "./parseCost.ts"

export interface ParsedVideoJob {
  readonly upstreamId: string
  readonly report: VideoReport
}

export const parseVideoJob = (json: unknown): Result.Result<ParsedVideoJob, UpstreamFailure> => {
  const job = Option.getOrUndefined(decodeJob(json))
  if (job !== undefined) return Result.succeed({ upstreamId: job.id, report: toVideoReport(job) })
  const error = findErrorMessage(json)
  return Result.fail(
    error === undefined
      ? new UpstreamFailure({ kind: "invalid_answer", detail: "the answer is no video job" })
      : new UpstreamFailure({ kind: "server_error", detail: error })
  )
}

const Job = Schema.Struct({
  id: UpstreamVideoId,
  // A missing or malformed field here does not fail the job.
  status: Schema.optionalKey(Schema.Unknown),
  generation_id: Schema.optionalKey(Schema.Unknown),
  unsigned_urls: Schema.optionalKey(Schema.Unknown),
  usage: Schema.optionalKey(Schema.Unknown),
  error: Schema.optionalKey(Schema.Unknown)
})
const decodeJob = Schema.decodeUnknownOption(Job)

const toVideoReport = (job: typeof Job.Type): VideoReport => {
  const { status } = job
  switch (status) {
    case "pending":
    case "in_progress":
      return { status }
    case "completed":
      return toCompletedReport(job)
    case "failed":
      // The HTTP API has a message here and no error code.
      return { status, kind: "server_error", ...toMessage(job) }
    case "cancelled":
    case "expired":
      return { status, ...toMessage(job) }
    default:
      return {
        status: "unknown",
        upstreamStatus: typeof status === "string" ? status.slice(0, 100) : ""
      }
  }
}

/** The URLs themselves are not used: content is read by the id of the job. */
const toCompletedReport = ({
  generation_id,
  unsigned_urls,
  usage
}: typeof Job.Type): VideoReport => {
  const count = Array.isArray(unsigned_urls) ? unsigned_urls.length : 1
  const others = Array.from({ length: Math.min(count, maxOutputs) - 1 }, (_, i) => i + 1)
  const cost = parseCost(Option.getOrUndefined(decodeUsage(usage))?.cost)
  const generationId = Option.getOrUndefined(decodeGenerationId(generation_id))
  return {
    status: "completed",
    outputs: [{ index: 0 }, ...others.map((index) => ({ index }))],
    ...(cost === undefined ? undefined : { cost }),
    ...(generationId === undefined ? undefined : { generationId })
  }
}

/** More than any model makes at once. */
const maxOutputs = 100

const decodeUsage = Schema.decodeUnknownOption(Schema.Struct({ cost: Schema.Unknown }))

const decodeGenerationId = Schema.decodeUnknownOption(
  Schema.NonEmptyString.check(Schema.isMaxLength(256))
)

const toMessage = (job: typeof Job.Type): { readonly message?: string } => {
  const message = findErrorMessage(job)
  return message === undefined ? {} : { message }
}
