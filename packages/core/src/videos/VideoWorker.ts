/** Submits jobs, polls them until they end, expires them at their deadline, and purges old ones. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { DurableJobs } from "../jobs/DurableJobs.ts"
import { makeBulkhead } from "../jobs/Bulkhead.ts"
import { sweep } from "../jobs/sweep.ts"
import { Settings } from "../Settings.ts"
import type { FailureKind, UpstreamFailure } from "../upstreams/failures/UpstreamFailure.ts"
import { toCancelledOutcome, VideoFinalizer } from "./finalize/VideoFinalizer.ts"
import { expiredOutcome, VideoReportApplier } from "./poll/VideoReportApplier.ts"
import {
  storeContentConcurrency,
  VideoContentArchive,
  storeContentKind,
  toDeferredStoreContentStep
} from "./content/VideoContentArchive.ts"
import { VideoUpstream } from "./poll/VideoUpstream.ts"
import { layerSubmitWorker } from "./submit/SubmitWorker.ts"
import type { VideoJob, VideoAssignment } from "./VideoJob.ts"
import * as VideoJobId from "./VideoJobId.ts"
import { VideoStore } from "./VideoStore.ts"

const work = Effect.gen(function* () {
  const { applyReport } = yield* VideoReportApplier
  const contentArchive = yield* VideoContentArchive
  const { finalize } = yield* VideoFinalizer
  const jobs = yield* DurableJobs
  const settings = yield* Settings
  const store = yield* VideoStore
  const upstream = yield* VideoUpstream
  const maxPerProvider = Math.max(1, Math.floor((settings.videoConcurrency * 3) / 4))
  const pollBulkhead = makeBulkhead({
    perHealthy: maxPerProvider,
    perUnknown: maxPerProvider,
    totalUnhealthy: Math.max(1, Math.floor(settings.videoConcurrency / 2))
  })

  const contentBulkhead = makeBulkhead({
    perHealthy: storeContentConcurrency,
    perUnknown: storeContentConcurrency,
    totalUnhealthy: storeContentConcurrency / 2
  })
  yield* jobs.work(storeContentKind, {
    run: Effect.fnUntraced(function* ({ id, deferrals = 0 }) {
      const job = yield* store.find(id)
      if (job?.assignment === undefined) return
      const release = contentBulkhead.tryAcquire(job.assignment.provider)
      if (release === undefined) {
        const later = { id, deferrals: deferrals + 1 }
        return yield* jobs.offer(
          storeContentKind,
          toDeferredStoreContentStep(later, yield* Random.next)
        )
      }
      yield* Effect.onExit(contentArchive.storeContent(job), (exit) =>
        Effect.sync(() => release(Exit.isSuccess(exit)))
      )
    }),
    // The content is served from the provider instead.
    onExhausted: ({ id }) => (VideoJobId.is(id) ? contentArchive.abandonContent(id) : Effect.void)
  })

  /** A provider that hangs is polled for one job at a time; its other jobs count as unanswered. */
  const deferPoll = Effect.fnUntraced(function* (job: VideoJob, { provider }: VideoAssignment) {
    const now = yield* Clock.currentTimeMillis
    if (pollBulkhead.getHealth(provider) !== "unhealthy") {
      const pause = 1_000 + Math.floor(2_000 * (yield* Random.next))
      yield* store.reschedule(job.id, job.version, now + pause)
    } else if (now >= job.deadlineAt) {
      // The job is not stopped upstream: a provider that answers no polls answers no stop either.
      yield* finalize(job, expiredOutcome)
    } else yield* applyReport(job, unansweredPoll)
  })

  /** A blob store that hangs has one call at a time, so that it does not delay polls. */
  const deleteContent = Effect.fnUntraced(function* (job: VideoJob) {
    const release = pollBulkhead.tryAcquire(blobStoreSlot)
    if (release === undefined) {
      const pause = 30_000 + Math.floor(60_000 * (yield* Random.next))
      yield* store.reschedule(job.id, job.version, (yield* Clock.currentTimeMillis) + pause)
      return
    }
    yield* contentArchive.deleteContent(job).pipe(
      Effect.timeout(deleteContentTimeoutMillis),
      Effect.onExit((exit) => Effect.sync(() => release(Exit.isSuccess(exit))))
    )
  })

  const processDueJob = Effect.fnUntraced(function* (job: VideoJob) {
    if (job.end !== undefined) return yield* deleteContent(job)
    const { account, assignment } = job
    // Without an assignment a job is due only at its deadline.
    if (assignment === undefined) {
      const isSubmitted = job.submittingTo !== undefined
      return yield* Effect.asVoid(
        finalize(job, isSubmitted ? { ...expiredOutcome, isUnknown: true } : expiredOutcome)
      )
    }
    if (job.cancelRequested)
      return yield* Effect.asVoid(finalize(job, toCancelledOutcome(yield* upstream.stop(job))))
    const capability = upstream.findCapability(assignment)
    if (capability === undefined) return yield* Effect.asVoid(applyReport(job, unansweredPoll))
    const release = pollBulkhead.tryAcquire(assignment.provider)
    if (release === undefined) return yield* deferPoll(job, assignment)
    const polled = yield* upstream.poll({ account, assignment }, capability).pipe(
      Effect.result,
      // A poll without an answer is applied too, or the job would never end.
      Effect.timeoutOrElse({ duration: pollTimeoutMillis, orElse: () => Effect.undefined }),
      Effect.onExit((exit) =>
        Effect.sync(() => release(Exit.isSuccess(exit) ? isReachable(exit.value) : undefined))
      )
    )
    yield* applyReport(
      job,
      polled !== undefined && Result.isSuccess(polled)
        ? polled.success
        : { ...unansweredPoll, retryAfterMillis: polled?.failure.retryAfterMillis }
    )
  })

  const { jobLeaseMillis, jobLeaseRefreshMillis } = settings
  yield* sweep({
    name: "video polls",
    claim: (limit) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        store.claim({ now, until: now + jobLeaseMillis, limit })
      ),
    run: processDueJob,
    lease: {
      renewIntervalMillis: jobLeaseRefreshMillis,
      renew: ({ id, version }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          store.reschedule(id, version, now + jobLeaseMillis)
        ),
      release: ({ id, version }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => store.reschedule(id, version, now))
    },
    concurrency: settings.videoConcurrency,
    intervalMillis: settings.videoSweepMillis,
    timeoutMillis: pollStepTimeoutMillis
  })

  yield* Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) => store.purgeEnded(now - settings.videoJobRetentionMillis)),
    Effect.catchCause((cause) => Effect.logWarning("purging ended video jobs failed", cause)),
    Effect.delay("1 hour"),
    Effect.repeat(Schedule.forever),
    Effect.withTracerEnabled(false),
    Effect.forkScoped
  )
})

const unansweredPoll = { status: "unanswered", retryAfterMillis: undefined } as const

/** An error response shows that the provider is reachable; undefined is a timeout. */
const isReachable = (polled: Result.Result<unknown, UpstreamFailure> | undefined): boolean =>
  polled !== undefined && (Result.isSuccess(polled) || !unreachableKinds.has(polled.failure.kind))

const unreachableKinds: ReadonlySet<FailureKind> = new Set(["timeout", "unreachable"])

/** A key of the poll bulkhead that no provider has. */
const blobStoreSlot = ""

/** Milliseconds to delete the files of one job. */
const deleteContentTimeoutMillis = 30_000

/** Milliseconds for one poll, without and with its writes. */
const pollTimeoutMillis = 70_000
const pollStepTimeoutMillis = 90_000

/** Runs until the Signalbox instance is closed. */
export const layerVideoWorker = Layer.effectDiscard(work).pipe(
  Layer.provide([
    VideoContentArchive.layer,
    VideoFinalizer.layer,
    VideoReportApplier.layer,
    VideoUpstream.layer
  ]),
  Layer.merge(layerSubmitWorker)
)
