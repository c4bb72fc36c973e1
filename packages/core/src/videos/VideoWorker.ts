/** Takes jobs to upstreams, asks how they stand, ends those whose time is over, and forgets old ones. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type { Atomically } from "../Atomically.ts"
import type { Credentials } from "../byok/Credentials.ts"
import type { Catalog } from "../catalog/Catalog.ts"
import { DurableJobs } from "../jobs/DurableJobs.ts"
import { sweep } from "../jobs/sweep.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { SpendCounters } from "../ledger/SpendCounters.ts"
import type { Generations } from "../observability/Generations.ts"
import type { OutboundHttp } from "../outbound/OutboundHttp.ts"
import type { Routing } from "../routing/Routing.ts"
import { Settings } from "../Settings.ts"
import type { Deliveries } from "../webhooks/Deliveries.ts"
import { discreetReport } from "./discreetReport.ts"
import { ending } from "./ending.ts"
import { expired, following } from "./following.ts"
import { keeping, keepKind } from "./keeping.ts"
import { reaching } from "./reaching.ts"
import { submitKind } from "./submitKind.ts"
import { submitting } from "./submitting.ts"
import type { VideoJob } from "./VideoJob.ts"
import * as VideoJobId from "./VideoJobId.ts"
import { VideoStore } from "./VideoStore.ts"

const work = Effect.gen(function* () {
  const end = yield* ending
  const follow = yield* following
  const jobs = yield* DurableJobs
  const reach = yield* reaching
  const settings = yield* Settings
  const store = yield* VideoStore
  const submit = yield* submitting

  yield* jobs.work(yield* submitKind, {
    run: Effect.fnUntraced(function* ({ id }) {
      const job = yield* store.find(id)
      if (job === undefined || job.place !== undefined || job.end !== undefined) return
      yield* submit(job)
    }),
    onExhausted: Effect.fnUntraced(function* ({ id }) {
      const job = VideoJobId.is(id) ? yield* store.find(id) : undefined
      if (job === undefined || job.place !== undefined || job.end !== undefined) return
      yield* end(job, {
        status: "failed",
        error: "It is not known whether the provider has accepted the job"
      })
    })
  })

  const files = yield* keeping
  yield* jobs.work(keepKind, {
    run: ({ id }) => files.keep(id),
    // It is handed out from the provider instead.
    onExhausted: () => Effect.void
  })

  const look = Effect.fnUntraced(function* (job: VideoJob) {
    if (job.end !== undefined) return yield* files.letGo(job)
    const { account, place } = job
    // Due only when its time is over.
    if (place === undefined) return yield* Effect.asVoid(end(job, expired))
    const capability = reach.capabilityOf(place)
    const asked =
      capability === undefined
        ? undefined
        : yield* Effect.result(
            reach.at({ account, place }, (at) =>
              Effect.map(capability.poll(at), (report) => discreetReport(report, at.credential))
            )
          )
    yield* follow(
      job,
      asked !== undefined && Result.isSuccess(asked)
        ? asked.success
        : {
            status: "unanswered",
            retryAfterMillis: asked?.failure.retryAfterMillis
          }
    )
  })

  yield* sweep({
    name: "video polls",
    claim: (limit) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        store.claim({ now, until: now + claimMillis, limit })
      ),
    run: look,
    concurrency: settings.videoConcurrency,
    everyMillis: settings.videoSweepMillis,
    deadlineMillis: pollDeadlineMillis
  })

  yield* Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) => store.forget(now - settings.videoJobsKeptMillis)),
    Effect.catchCause((cause) => Effect.logWarning("old video jobs were not forgotten", cause)),
    Effect.delay("1 hour"),
    Effect.repeat(Schedule.forever),
    Effect.forkScoped
  )
})

/** Milliseconds one poll may take, its writes included. */
const pollDeadlineMillis = 90_000
const claimMillis = 2 * pollDeadlineMillis + 20_000

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
