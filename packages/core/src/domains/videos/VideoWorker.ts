/** Submits jobs, polls them until they end, expires them at their deadline, and purges old ones. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { DurableJobs } from "../../engine/jobs/DurableJobs.ts"
import { makeBulkhead } from "../../engine/jobs/Bulkhead.ts"
import { sweep } from "../../engine/jobs/sweep.ts"
import { Settings } from "../../instance/Settings.ts"
import type {
  FailureKind,
  UpstreamFailure
} from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { readMonotonicMillis } from "../../values/SteadyTime.ts"
import { toCancelledOutcome, VideoFinalizer } from "./finalize/VideoFinalizer.ts"
import { expiredOutcome, VideoReportApplier } from "./poll/VideoReportApplier.ts"
import {
  storeContentConcurrency,
  VideoContentArchive,
  storeContentKind,
  toDeferredStoreContentStep
} from "./content/VideoContentArchive.ts"
import { makeCatchUp } from "./poll/scheduleNextPoll.ts"
import { VideoUpstream } from "./poll/VideoUpstream.ts"
import { layerSubmitWorker } from "./submit/SubmitWorker.ts"
import { VideoClock } from "./VideoClock.ts"
import type { VideoJob, VideoAssignment } from "./VideoJob.ts"
import * as VideoJobId from "./VideoJobId.ts"
import { VideoStore } from "./VideoStore.ts"

const work = Effect.gen(function* () {
  const { applyReport, expire } = yield* VideoReportApplier
  const contentArchive = yield* VideoContentArchive
  const { finalize } = yield* VideoFinalizer
  const jobs = yield* DurableJobs
  const settings = yield* Settings
  const store = yield* VideoStore
  const time = yield* VideoClock
  const upstream = yield* VideoUpstream
  const maxPerProvider = Math.max(1, Math.floor((settings.videoConcurrency * 3) / 4))
  const pollBulkhead = makeBulkhead({
    perHealthy: maxPerProvider,
    perUnknown: maxPerProvider,
    totalUnhealthy: Math.max(1, Math.floor(settings.videoConcurrency / 2))
  })

  const stopBulkhead = makeBulkhead({
    perHealthy: Math.max(1, Math.floor(settings.videoConcurrency / 4)),
    perUnknown: 1,
    totalUnhealthy: Math.max(1, Math.floor(settings.videoConcurrency / 4))
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
    const { now, toCurrent } = time.read()
    if (pollBulkhead.getHealth(provider) !== "unhealthy") {
      const pause = 1_000 + Math.floor(2_000 * (yield* Random.next))
      yield* store.reschedule(job.id, job.version, now + pause)
    } else if (now >= toCurrent(job).deadlineAt) yield* expireUnpolled(job, provider)
    else yield* applyReport(job, unansweredPoll)
  })

  /** Few stops run at once, so that a provider that answers none does not delay polls; some jobs expire without. */
  const expireUnpolled = Effect.fnUntraced(function* (job: VideoJob, provider: string) {
    const clock = yield* Clock.Clock
    const { now, toCurrent } = time.read()
    const release = stopBulkhead.tryAcquire(provider)
    if (release === undefined && now < toCurrent(job).deadlineAt + stopGraceMillis) {
      const pause = 1_000 + Math.floor(2_000 * (yield* Random.next))
      yield* store.reschedule(job.id, job.version, now + pause)
      return
    }
    const startedAt = readMonotonicMillis(clock)
    yield* expire(job, { answersPolls: false, answersStops: release !== undefined }).pipe(
      Effect.ensuring(
        Effect.sync(() => release?.(readMonotonicMillis(clock) - startedAt < slowStopMillis))
      )
    )
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
    const { assignment } = job
    // Without an assignment a job is due only at its deadline.
    if (assignment === undefined) {
      const { now, toCurrent } = time.read()
      const { deadlineAt } = toCurrent(job)
      if (now < deadlineAt)
        return yield* Effect.asVoid(store.reschedule(job.id, job.version, deadlineAt))
      const isSubmitted = job.submittingTo !== undefined
      const ended = yield* finalize(
        job,
        isSubmitted ? { ...expiredOutcome, isUnknown: true } : expiredOutcome
      )
      if (ended !== undefined && !isSubmitted) {
        yield* Effect.logWarning(
          `${job.id} reached its deadline before a provider accepted it, and nothing is charged`
        )
      }
      return
    }
    if (job.cancelRequested)
      return yield* Effect.asVoid(finalize(job, toCancelledOutcome(yield* upstream.stop(job))))
    const capability = upstream.findCapability(assignment)
    if (capability === undefined) return yield* Effect.asVoid(applyReport(job, unansweredPoll))
    const release = pollBulkhead.tryAcquire(assignment.provider)
    if (release === undefined) return yield* deferPoll(job, assignment)
    const polled = yield* upstream.poll({ ...job, assignment }, capability).pipe(
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
  const catchUp = yield* makeCatchUp
  yield* sweep({
    name: "video polls",
    claim: (limit) =>
      Effect.suspend(() => {
        const read = time.read()
        const { now } = read
        return Effect.andThen(
          catchUp(read),
          store.claim({ now, until: now + jobLeaseMillis, limit })
        )
      }),
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

/** Milliseconds after its deadline that a job waits for a chance to be stopped. */
const stopGraceMillis = 60_000

/** Milliseconds after which a stop counts as unanswered. */
const slowStopMillis = 5_000

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
    VideoClock.layer,
    VideoReportApplier.layer,
    VideoUpstream.layer
  ]),
  Layer.merge(layerSubmitWorker)
)
