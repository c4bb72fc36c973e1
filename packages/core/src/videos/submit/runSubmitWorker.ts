/** Runs the steps that take jobs to upstreams; one that hangs keeps no other waiting. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import { Catalog } from "../../catalog/Catalog.ts"
import { DurableJobs } from "../../jobs/DurableJobs.ts"
import { makeBulkhead } from "../../jobs/Bulkhead.ts"
import { makeVideoFinalizer, toUnknownOutcome } from "../finalize/VideoFinalizer.ts"
import { canResubmit } from "./canResubmit.ts"
import { toProviderSlug } from "./toProviderSlug.ts"
import { toDeferredSubmitStep, submitConcurrency, makeSubmitJobKind } from "./submitJobKind.ts"
import { SubmitOutcomeUnknown, makeVideoSubmitter } from "./VideoSubmitter.ts"
import type { VideoJob } from "../VideoJob.ts"
import * as VideoJobId from "../VideoJobId.ts"
import { VideoStore } from "../VideoStore.ts"

export const runSubmitWorker = Effect.gen(function* () {
  const catalog = yield* Catalog
  const end = yield* makeVideoFinalizer
  const jobs = yield* DurableJobs
  const kind = yield* makeSubmitJobKind
  const store = yield* VideoStore
  const submit = yield* makeVideoSubmitter
  // One that is well may have all: what it answers soon keeps nobody waiting.
  const bulkhead = makeBulkhead({
    perHealthy: submitConcurrency,
    perUnknown: submitConcurrency,
    totalUnhealthy: submitConcurrency / 2
  })

  const giveUp = Effect.fnUntraced(function* (id: string) {
    const job = VideoJobId.is(id) ? yield* store.find(id) : undefined
    if (job === undefined || job.assignment !== undefined || job.end !== undefined) return
    // Somebody wrote to it meanwhile: done once more, this sees what is left to do.
    if ((yield* end(job, toUnknownOutcome(job))) === undefined) {
      return yield* new SubmitOutcomeUnknown({ candidate: undefined })
    }
  })

  /** How it is with the provider that was to be asked first, as far as a submit tells. */
  const isHealthy = (
    provider: string,
    { model }: VideoJob,
    exit: Exit.Exit<string | undefined, SubmitOutcomeUnknown>
  ): boolean | undefined => {
    const isOf = (candidate: string | undefined) =>
      candidate !== undefined && toProviderSlug(candidate, model, catalog.current()) === provider
    if (Exit.isSuccess(exit)) return isOf(exit.value) || undefined
    return isOf(Option.getOrUndefined(Exit.findErrorOption(exit))?.candidate) ? false : undefined
  }

  /** It only ends: that needs no room. */
  const isLocalOnly = (job: VideoJob, provider: string): boolean =>
    job.submittingTo === undefined
      ? job.cancelRequested === true
      : !canResubmit(job, catalog.current().upstreams.get(provider)?.videos)

  yield* jobs.work(kind, {
    run: Effect.fnUntraced(function* ({ id, deferrals = 0, previousAttempts = 0 }, { attempt }) {
      const job = yield* store.find(id)
      if (job === undefined || job.assignment !== undefined || job.end !== undefined) return
      const { candidates, model, submittingTo } = job
      const [first = ""] = submittingTo === undefined ? candidates : [submittingTo]
      const provider = toProviderSlug(first, model, catalog.current())
      const leave = isLocalOnly(job, provider) ? () => {} : bulkhead.tryAcquire(provider)
      if (leave === undefined) {
        const later = {
          id,
          deferrals: deferrals + 1,
          previousAttempts: previousAttempts + attempt - 1
        }
        return yield* jobs.offer(kind, toDeferredSubmitStep(later, yield* Random.next))
      }
      yield* submit(job).pipe(
        Effect.onExit((exit) => Effect.sync(() => leave(isHealthy(provider, job, exit)))),
        Effect.catchTag("SubmitOutcomeUnknown", (unknown) =>
          previousAttempts + attempt < kind.maxAttempts ? Effect.fail(unknown) : giveUp(id)
        )
      )
    }),
    onExhausted: ({ id }) => giveUp(id)
  })
})
