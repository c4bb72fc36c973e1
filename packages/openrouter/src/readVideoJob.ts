/** A video job as this wire shows it, read without trusting any of it. */
import { UpstreamFailure, UpstreamVideoId, type VideoReport } from "@signalbox/core/upstream"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { errorInside } from "./errorInside.ts"
import { readCost } from "./readCost.ts"

export interface VideoJob {
  readonly upstreamId: string
  readonly report: VideoReport
}

export const readVideoJob = (json: unknown): Result.Result<VideoJob, UpstreamFailure> => {
  const job = Option.getOrUndefined(readJob(json))
  if (job !== undefined) return Result.succeed({ upstreamId: job.id, report: reportOf(job) })
  const error = errorInside(json)
  return Result.fail(
    error === undefined
      ? new UpstreamFailure({ kind: "invalid_answer", detail: "the answer is no video job" })
      : new UpstreamFailure({ kind: "server_error", detail: error })
  )
}

const Job = Schema.Struct({
  id: UpstreamVideoId,
  // What a job is not lost for when it is missing or has another form.
  status: Schema.optionalKey(Schema.Unknown),
  generation_id: Schema.optionalKey(Schema.Unknown),
  unsigned_urls: Schema.optionalKey(Schema.Unknown),
  usage: Schema.optionalKey(Schema.Unknown),
  error: Schema.optionalKey(Schema.Unknown)
})
const readJob = Schema.decodeUnknownOption(Job)

const reportOf = (job: typeof Job.Type): VideoReport => {
  const { status } = job
  switch (status) {
    case "pending":
    case "in_progress":
      return { status }
    case "completed":
      return completed(job)
    case "failed":
      // The wire has a sentence here, and no kind.
      return { status, kind: "server_error", ...messageOf(job) }
    case "cancelled":
    case "expired":
      return { status, ...messageOf(job) }
    default:
      return { status: "unknown", said: typeof status === "string" ? status.slice(0, 100) : "" }
  }
}

/** The addresses themselves are not used: content is found by the job's id, where the job is. */
const completed = ({ generation_id, unsigned_urls, usage }: typeof Job.Type): VideoReport => {
  const count = Array.isArray(unsigned_urls) ? unsigned_urls.length : 1
  const others = Array.from({ length: Math.min(count, mostOutputs) - 1 }, (_, i) => i + 1)
  const cost = readCost(Option.getOrUndefined(readUsage(usage))?.cost)
  const generationId = Option.getOrUndefined(readGenerationId(generation_id))
  return {
    status: "completed",
    outputs: [{ index: 0 }, ...others.map((index) => ({ index }))],
    ...(cost === undefined ? undefined : { cost }),
    ...(generationId === undefined ? undefined : { generationId })
  }
}

/** More than any model makes at once. */
const mostOutputs = 100

const readUsage = Schema.decodeUnknownOption(Schema.Struct({ cost: Schema.Unknown }))

const readGenerationId = Schema.decodeUnknownOption(
  Schema.NonEmptyString.check(Schema.isMaxLength(256))
)

const messageOf = (job: typeof Job.Type): { readonly message?: string } => {
  const message = errorInside(job)
  return message === undefined ? {} : { message }
}
