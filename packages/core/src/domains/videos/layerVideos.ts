/** Accepts, lists and cancels video jobs, and serves their files. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { withTrace } from "../../engine/observability/tracing/traceContext.ts"
import { Routing } from "../../routing/Routing.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import type { Actor } from "../../values/Actor.ts"
import type { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { VideoJob } from "./VideoJob.ts"
import { VideoStore } from "./VideoStore.ts"
import { type VideoOwner, Videos } from "./Videos.ts"
import { makeVideoAcceptor } from "./accept/makeVideoAcceptor.ts"
import { makeVideoQueries } from "./accept/makeVideoQueries.ts"
import { makeContentReader } from "./content/makeContentReader.ts"
import { toCancelledOutcome, VideoFinalizer } from "./finalize/VideoFinalizer.ts"
import { makeFindVideo } from "./makeFindVideo.ts"
import { VideoUpstream } from "./poll/VideoUpstream.ts"
import { VideoReservations } from "./pricing/VideoReservations.ts"
import { VideoRejectionRecorder } from "./submit/VideoRejectionRecorder.ts"

export const layerVideos = Layer.effect(
  Videos,
  Effect.gen(function* () {
    const { cancel } = yield* makeVideoCanceller
    const find = yield* makeFindVideo
    const { getContent } = yield* makeContentReader
    const { addTraceTags, prepareQuery } = yield* makeVideoQueries
    const routing = yield* Routing
    const store = yield* VideoStore
    const { submit } = yield* makeVideoAcceptor
    const workspaces = yield* Workspaces

    return {
      submit: (caller, parsed, submission, observer) =>
        withTrace(
          () => submit(caller, parsed, submission, observer),
          parsed.request.trace,
          "video",
          observer
        ),
      plan: (caller, parsed, replay) =>
        Effect.flatMap(
          prepareQuery(addTraceTags(caller, parsed.request.trace), parsed),
          ({ query }) => routing.plan(query, replay)
        ),
      get: find,
      list: Effect.fnUntraced(function* (actor, { workspace, ...filter }, page) {
        const resolvedFilter =
          workspace === undefined
            ? filter
            : { ...filter, workspace: (yield* workspaces.get(actor, workspace)).id }
        return yield* store.list(actor.account, resolvedFilter, page)
      }),
      cancel,
      getContent
    }
  })
).pipe(
  Layer.provide([
    VideoFinalizer.layer,
    VideoRejectionRecorder.layer,
    VideoReservations.layer,
    VideoUpstream.layer
  ])
)

/** Cancels video jobs, whose provider may have accepted or finished them meanwhile. */
const makeVideoCanceller = Effect.gen(function* () {
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
