/** Takes jobs to upstreams, asks how they stand, ends those whose time is over, and forgets old ones. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type { Atomically } from "../Atomically.ts"
import type { Credentials } from "../byok/Credentials.ts"
import type { Catalog } from "../catalog/Catalog.ts"
import { DurableJobs } from "../jobs/DurableJobs.ts"
import { makeSlots } from "../jobs/slots.ts"
import { sweep } from "../jobs/sweep.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { SpendCounters } from "../ledger/SpendCounters.ts"
import type { Generations } from "../observability/Generations.ts"
import type { OutboundHttp } from "../outbound/OutboundHttp.ts"
import type { Routing } from "../routing/Routing.ts"
import { Settings } from "../Settings.ts"
import type { FailureKind, UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import type { Deliveries } from "../webhooks/Deliveries.ts"
import { discreetReport } from "./discreetReport.ts"
import { cancelled, ending } from "./ending.ts"
import { expired, following } from "./following.ts"
import { keepConcurrency, keeping, keepKind, keepLaterStep } from "./keeping.ts"
import { reaching } from "./reaching.ts"
import { submitWork } from "./submitWork.ts"
import type { VideoJob, VideoPlace } from "./VideoJob.ts"
import * as VideoJobId from "./VideoJobId.ts"
import { VideoStore } from "./VideoStore.ts"

const work = Effect.gen(function* () {
  const end = yield* ending
  const follow = yield* following
  const jobs = yield* DurableJobs
  const reach = yield* reaching
  const settings = yield* Settings
  const store = yield* VideoStore
  const most = Math.max(1, Math.floor((settings.videoConcurrency * 3) / 4))
  const slots = makeSlots({
    each: most,
    unknown: most,
    unwell: Math.max(1, Math.floor(settings.videoConcurrency / 2))
  })

  yield* submitWork

  const files = yield* keeping
  const givers = makeSlots({
    each: keepConcurrency,
    unknown: keepConcurrency,
    unwell: keepConcurrency / 2
  })
  yield* jobs.work(keepKind, {
    run: Effect.fnUntraced(function* ({ id, put_off = 0 }) {
      const job = yield* store.find(id)
      if (job?.place === undefined) return
      const leave = givers.enter(job.place.provider)
      if (leave === undefined) {
        const later = { id, put_off: put_off + 1 }
        return yield* jobs.offer(keepKind, keepLaterStep(later, yield* Random.next))
      }
      yield* Effect.onExit(files.keep(job), (exit) =>
        Effect.sync(() => leave(Exit.isSuccess(exit)))
      )
    }),
    // It is handed out from the provider instead.
    onExhausted: ({ id }) => (VideoJobId.is(id) ? files.giveUp(id) : Effect.void)
  })

  /** Of a provider that hangs one job is asked after at a time; the others go on as if they had been. */
  const putOff = Effect.fnUntraced(function* (job: VideoJob, { provider }: VideoPlace) {
    const now = yield* Clock.currentTimeMillis
    if (slots.standingOf(provider) !== "unwell") {
      const pause = 1_000 + Math.floor(2_000 * (yield* Random.next))
      yield* store.reschedule(job.id, job.turn, now + pause)
    } else if (now >= job.deadlineAt) {
      // Nor is it stopped: who does not say how a job stands does not hear that either.
      yield* end(job, expired)
    } else yield* follow(job, unanswered)
  })

  /** A place of files that hangs is asked once at a time too, or polls would wait for it. */
  const letGo = Effect.fnUntraced(function* (job: VideoJob) {
    const leave = slots.enter(placeOfFiles)
    if (leave === undefined) {
      const pause = 30_000 + Math.floor(60_000 * (yield* Random.next))
      yield* store.reschedule(job.id, job.turn, (yield* Clock.currentTimeMillis) + pause)
      return
    }
    yield* files.letGo(job).pipe(
      Effect.timeout(letGoMillis),
      Effect.onExit((exit) => Effect.sync(() => leave(Exit.isSuccess(exit))))
    )
  })

  const look = Effect.fnUntraced(function* (job: VideoJob) {
    if (job.end !== undefined) return yield* letGo(job)
    const { account, place } = job
    // Due only when its time is over.
    if (place === undefined) {
      const isAsked = job.submittingTo !== undefined
      return yield* Effect.asVoid(end(job, isAsked ? { ...expired, isUnknown: true } : expired))
    }
    if (job.cancelWanted) return yield* Effect.asVoid(end(job, cancelled(yield* reach.stop(job))))
    const capability = reach.capabilityOf(place)
    if (capability === undefined) return yield* Effect.asVoid(follow(job, unanswered))
    const leave = slots.enter(place.provider)
    if (leave === undefined) return yield* putOff(job, place)
    const asked = yield* reach
      .at({ account, place }, (at) =>
        Effect.map(capability.poll(at), (report) => discreetReport(report, at.credential))
      )
      .pipe(
        Effect.result,
        // One that never answers is followed too, or its job would never end.
        Effect.timeoutOrElse({ duration: pollMillis, orElse: () => Effect.undefined }),
        Effect.onExit((exit) =>
          Effect.sync(() => leave(Exit.isSuccess(exit) ? isReached(exit.value) : undefined))
        )
      )
    yield* follow(
      job,
      asked !== undefined && Result.isSuccess(asked)
        ? asked.success
        : { ...unanswered, retryAfterMillis: asked?.failure.retryAfterMillis }
    )
  })

  const { jobLeaseMillis, jobLeaseRefreshMillis } = settings
  yield* sweep({
    name: "video polls",
    claim: (limit) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        store.claim({ now, until: now + jobLeaseMillis, limit })
      ),
    run: look,
    lease: {
      everyMillis: jobLeaseRefreshMillis,
      renew: ({ id, turn }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          store.reschedule(id, turn, now + jobLeaseMillis)
        ),
      handBack: ({ id, turn }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => store.reschedule(id, turn, now))
    },
    concurrency: settings.videoConcurrency,
    everyMillis: settings.videoSweepMillis,
    deadlineMillis: pollDeadlineMillis
  })

  yield* Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) => store.forget(now - settings.videoJobsKeptMillis)),
    Effect.catchCause((cause) => Effect.logWarning("old video jobs were not forgotten", cause)),
    Effect.delay("1 hour"),
    Effect.repeat(Schedule.forever),
    Effect.withTracerEnabled(false),
    Effect.forkScoped
  )
})

const unanswered = { status: "unanswered", retryAfterMillis: undefined } as const

/** A refusal is an answer; undefined: none came in time. */
const isReached = (asked: Result.Result<unknown, UpstreamFailure> | undefined): boolean =>
  asked !== undefined && (Result.isSuccess(asked) || !silences.has(asked.failure.kind))

const silences: ReadonlySet<FailureKind> = new Set(["timeout", "unreachable"])

/** No provider has this name. */
const placeOfFiles = ""

/** Milliseconds to remove the files of one job. */
const letGoMillis = 30_000

/** Milliseconds one poll may take, and with its writes. */
const pollMillis = 70_000
const pollDeadlineMillis = 90_000

/** Works for as long as the box is open. */
export const layerVideoWorker: Layer.Layer<
  never,
  never,
  | Atomically
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
> = Layer.effectDiscard(work)
