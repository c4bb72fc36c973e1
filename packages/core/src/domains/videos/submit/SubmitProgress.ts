/** A step that submits a job while it runs, and what it writes to the job. */
import * as Arr from "effect/Array"
import * as Equal from "effect/Equal"
import * as Struct from "effect/Struct"
import type { RouteAttempt } from "../../../routing/attempt/RouteAttempt.ts"
import { toGenerationAttempt } from "../../../routing/record/toGenerationAttempt.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import type { VideoJob, VideoPlan } from "../VideoJob.ts"

/** A running step, with the job as the step last wrote it. */
export interface SubmitProgress {
  job: VideoJob
  /** Another writer changed the job: it has ended, or another step owns it. */
  isSuperseded: boolean
  /** The outcome can only be learned by a submit that may make a second video, which is not allowed. */
  isUnrecoverable: boolean
  /** The plan of the generation; undefined before the job is planned. */
  plan: VideoPlan | undefined
  readonly attempts: Array<RouteAttempt>
}

/** True when the cancellation request is the only change, so the submit still belongs to this step. */
export const isCancelRequested = (before: VideoJob, now: VideoJob): boolean =>
  now.cancelRequested === true &&
  before.cancelRequested !== true &&
  now.version === before.version + 1

/** True when the job was only claimed: the worker, whose clock had jumped, left it as it was. */
export const isClaimed = (before: VideoJob, now: VideoJob): boolean =>
  now.version > before.version && Equal.equals(omitTurn(now), omitTurn(before))

const omitTurn = (job: VideoJob) => Struct.omit(job, ["dueAt", "version"])

/** Only the latest attempts are kept when a submit is retried often. */
const maxRecordedAttempts = 50

export const toJobUpdate = (progress: SubmitProgress): Pick<VideoJob, "attempts" | "plan"> => ({
  attempts: toAttempts(progress),
  ...omitUndefined({ plan: progress.plan })
})

const toAttempts = ({ attempts, job }: SubmitProgress): VideoJob["attempts"] =>
  Arr.takeRight(
    [
      ...job.attempts,
      ...attempts.map((attempt) =>
        Struct.omit(toGenerationAttempt(attempt), ["cost", "upstreamCost", "usage"])
      )
    ],
    maxRecordedAttempts
  )
