/** Takes jobs to upstreams, asks how they stand, ends those whose time is over, and forgets old ones. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type { Transaction } from "../Transaction.ts"
import type { Credentials } from "../byok/Credentials.ts"
import type { Catalog } from "../catalog/Catalog.ts"
import { DurableJobs } from "../jobs/DurableJobs.ts"
import { makeBulkhead } from "../jobs/Bulkhead.ts"
import { sweep } from "../jobs/sweep.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { SpendCounters } from "../ledger/SpendCounters.ts"
import type { Generations } from "../observability/Generations.ts"
import type { OutboundHttp } from "../outbound/OutboundHttp.ts"
import type { Routing } from "../routing/Routing.ts"
import { Settings } from "../Settings.ts"
import type { FailureKind, UpstreamFailure } from "../upstreams/failures/UpstreamFailure.ts"
import type { Deliveries } from "../webhooks/Deliveries.ts"
import { redactReport } from "./poll/redactReport.ts"
import { toCancelledOutcome, makeVideoFinalizer } from "./finalize/VideoFinalizer.ts"
import { expiredOutcome, makeVideoReportApplier } from "./poll/VideoReportApplier.ts"
import {
  storeContentConcurrency,
  makeVideoContentArchive,
  storeContentKind,
  toDeferredStoreContentStep
} from "./content/VideoContentArchive.ts"
import { makeVideoUpstream } from "./poll/VideoUpstream.ts"
import { runSubmitWorker } from "./submit/runSubmitWorker.ts"
import type { VideoJob, VideoAssignment } from "./VideoJob.ts"
import * as VideoJobId from "./VideoJobId.ts"
import { VideoStore } from "./VideoStore.ts"

const runVideoWorker = Effect.gen(function* () {
  const end = yield* makeVideoFinalizer
  const follow = yield* makeVideoReportApplier
  const jobs = yield* DurableJobs
  const reach = yield* makeVideoUpstream
  const settings = yield* Settings
  const store = yield* VideoStore
  const maxPerProvider = Math.max(1, Math.floor((settings.videoConcurrency * 3) / 4))
  const pollBulkhead = makeBulkhead({
    perHealthy: maxPerProvider,
    perUnknown: maxPerProvider,
    totalUnhealthy: Math.max(1, Math.floor(settings.videoConcurrency / 2))
  })

  yield* runSubmitWorker

  const contentArchive = yield* makeVideoContentArchive
  const contentBulkhead = makeBulkhead({
    perHealthy: storeContentConcurrency,
    perUnknown: storeContentConcurrency,
    totalUnhealthy: storeContentConcurrency / 2
  })
  yield* jobs.work(storeContentKind, {
    run: Effect.fnUntraced(function* ({ id, deferrals = 0 }) {
      const job = yield* store.find(id)
      if (job?.assignment === undefined) return
      const leave = contentBulkhead.tryAcquire(job.assignment.provider)
      if (leave === undefined) {
        const later = { id, deferrals: deferrals + 1 }
        return yield* jobs.offer(
          storeContentKind,
          toDeferredStoreContentStep(later, yield* Random.next)
        )
      }
      yield* Effect.onExit(contentArchive.storeContent(job), (exit) =>
        Effect.sync(() => leave(Exit.isSuccess(exit)))
      )
    }),
    // It is handed out from the provider instead.
    onExhausted: ({ id }) => (VideoJobId.is(id) ? contentArchive.giveUp(id) : Effect.void)
  })

  /** Of a provider that hangs one job is asked after at a time; the others go on as if they had been. */
  const deferPoll = Effect.fnUntraced(function* (job: VideoJob, { provider }: VideoAssignment) {
    const now = yield* Clock.currentTimeMillis
    if (pollBulkhead.getHealth(provider) !== "unhealthy") {
      const pause = 1_000 + Math.floor(2_000 * (yield* Random.next))
      yield* store.reschedule(job.id, job.version, now + pause)
    } else if (now >= job.deadlineAt) {
      // Nor is it stopped: who does not say how a job stands does not hear that either.
      yield* end(job, expiredOutcome)
    } else yield* follow(job, unansweredPoll)
  })

  /** A place of files that hangs is asked once at a time too, or polls would wait for it. */
  const deleteContent = Effect.fnUntraced(function* (job: VideoJob) {
    const leave = pollBulkhead.tryAcquire(blobStoreSlot)
    if (leave === undefined) {
      const pause = 30_000 + Math.floor(60_000 * (yield* Random.next))
      yield* store.reschedule(job.id, job.version, (yield* Clock.currentTimeMillis) + pause)
      return
    }
    yield* contentArchive.deleteContent(job).pipe(
      Effect.timeout(deleteContentTimeoutMillis),
      Effect.onExit((exit) => Effect.sync(() => leave(Exit.isSuccess(exit))))
    )
  })

  const processDueJob = Effect.fnUntraced(function* (job: VideoJob) {
    if (job.end !== undefined) return yield* deleteContent(job)
    const { account, assignment } = job
    // Due only when its time is over.
    if (assignment === undefined) {
      const isAsked = job.submittingTo !== undefined
      return yield* Effect.asVoid(
        end(job, isAsked ? { ...expiredOutcome, isUnknown: true } : expiredOutcome)
      )
    }
    if (job.cancelRequested)
      return yield* Effect.asVoid(end(job, toCancelledOutcome(yield* reach.stop(job))))
    const capability = reach.findCapability(assignment)
    if (capability === undefined) return yield* Effect.asVoid(follow(job, unansweredPoll))
    const leave = pollBulkhead.tryAcquire(assignment.provider)
    if (leave === undefined) return yield* deferPoll(job, assignment)
    const asked = yield* reach
      .call({ account, assignment }, (at) =>
        Effect.map(capability.poll(at), (report) => redactReport(report, at.credential))
      )
      .pipe(
        Effect.result,
        // One that never answers is followed too, or its job would never end.
        Effect.timeoutOrElse({ duration: pollTimeoutMillis, orElse: () => Effect.undefined }),
        Effect.onExit((exit) =>
          Effect.sync(() => leave(Exit.isSuccess(exit) ? isReachable(exit.value) : undefined))
        )
      )
    yield* follow(
      job,
      asked !== undefined && Result.isSuccess(asked)
        ? asked.success
        : { ...unansweredPoll, retryAfterMillis: asked?.failure.retryAfterMillis }
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
    Effect.catchCause((cause) => Effect.logWarning("old video jobs were not forgotten", cause)),
    Effect.delay("1 hour"),
    Effect.repeat(Schedule.forever),
    Effect.withTracerEnabled(false),
    Effect.forkScoped
  )
})

const unansweredPoll = { status: "unanswered", retryAfterMillis: undefined } as const

/** A refusal is an answer; undefined: none came in time. */
const isReachable = (asked: Result.Result<unknown, UpstreamFailure> | undefined): boolean =>
  asked !== undefined && (Result.isSuccess(asked) || !unreachableKinds.has(asked.failure.kind))

const unreachableKinds: ReadonlySet<FailureKind> = new Set(["timeout", "unreachable"])

/** No provider has this name. */
const blobStoreSlot = ""

/** Milliseconds to remove the files of one job. */
const deleteContentTimeoutMillis = 30_000

/** Milliseconds one poll may take, and with its writes. */
const pollTimeoutMillis = 70_000
const pollStepTimeoutMillis = 90_000

/** Works for as long as the box is open. */
export const layerVideoWorker: Layer.Layer<
  never,
  never,
  | Transaction
  | Catalog
  | Credentials
  | Deliveries
  | DurableJobs
  | Generations
  | HttpClient.HttpClient
  | Ledger
  | OutboundHttp
  | Routing
  | SpendCounters
  | VideoStore
> = Layer.effectDiscard(runVideoWorker)
