/** Cancels video jobs, whose provider may have accepted or finished them meanwhile. */
import * as Effect from "effect/Effect"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import type { Actor } from "../../values/Actor.ts"
import type { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { toCancelledOutcome, VideoFinalizer } from "./finalize/VideoFinalizer.ts"
import { VideoUpstream } from "./poll/VideoUpstream.ts"
import type { VideoJob } from "./VideoJob.ts"
import { VideoStore } from "./VideoStore.ts"
import type { VideoOwner } from "./Videos.ts"
import { makeFindVideo } from "./makeFindVideo.ts"

export const makeVideoCanceller = Effect.gen(function* () {
  const audit = yield* Audit
  const find = yield* makeFindVideo
  const { finalize } = yield* VideoFinalizer
  const store = yield* VideoStore
  const upstream = yield* VideoUpstream

  const cancel = (owner: VideoOwner, id: string): Effect.Effect<VideoJob, ResourceNotFound> =>
    Effect.flatMap(find(owner, id), (job) => {
      if (job.end !== undefined || job.cancelRequested) return Effect.succeed(job)
      return isSubmitting(job)
        ? requestCancel(owner, job)
        : Effect.flatMap(upstream.stop(job), (isStopped) =>
            finalizeCancelled(owner, job, isStopped)
          )
    })

  /**
   * A provider may have accepted the job and charge for it: the submit step learns that, and finalizes the
   * job with the cost.
   */
  const requestCancel = (owner: VideoOwner, job: VideoJob) => {
    const cancelling: VideoJob = { ...job, version: job.version + 1, cancelRequested: true }
    return Effect.flatMap(
      audit.change(
        owner,
        "video.cancel",
        Effect.map(store.replace(job.version, cancelling), (isStored) => ({
          result: isStored,
          target: isStored ? job.id : undefined,
          before: { status: job.status },
          after: { status: job.status, cancel_wanted: true }
        }))
      ),
      (isStored) => (isStored ? Effect.succeed(cancelling) : cancel(owner, job.id))
    )
  }

  /** The job is read again, because it may have been polled while it was stopped. */
  const finalizeCancelled = (
    owner: VideoOwner,
    { id, assignment }: VideoJob,
    isStopped: boolean
  ): Effect.Effect<VideoJob, ResourceNotFound> =>
    Effect.flatMap(find(owner, id), (job) => {
      if (job.end !== undefined) return Effect.succeed(job)
      // A submit has started or was accepted in the meantime.
      if (job.assignment?.upstreamId !== assignment?.upstreamId || isSubmitting(job))
        return cancel(owner, id)
      return Effect.flatMap(tryFinalizeCancelled(owner, job, isStopped), (ended) =>
        // Another writer changed the job, which may even have ended.
        ended === undefined ? finalizeCancelled(owner, job, isStopped) : Effect.succeed(ended)
      )
    })

  const tryFinalizeCancelled = (actor: Actor, job: VideoJob, isStopped: boolean) =>
    audit.change(
      actor,
      "video.cancel",
      Effect.map(finalize(job, toCancelledOutcome(isStopped)), (result) => ({
        result,
        target: result?.id,
        before: { status: job.status },
        after: { status: result?.status }
      }))
    )

  return { cancel }
})

/** A provider may have accepted the job, and the outcome is not known yet. */
const isSubmitting = ({ assignment, submittingTo }: VideoJob): boolean =>
  assignment === undefined && submittingTo !== undefined
