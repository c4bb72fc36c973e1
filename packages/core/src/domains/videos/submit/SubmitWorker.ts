/** Runs the submit steps; a provider that hangs does not delay submits to others. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import { Catalog } from "../../../engine/catalog/Catalog.ts"
import type { Configuration } from "../../../engine/catalog/Configuration.ts"
import { DurableJobs } from "../../../engine/jobs/DurableJobs.ts"
import { Settings } from "../../../instance/Settings.ts"
import { makeBulkhead } from "../../../engine/jobs/Bulkhead.ts"
import { VideoFinalizer, toUnknownOutcome } from "../finalize/VideoFinalizer.ts"
import { toDeferredSubmitStep, submitConcurrency, makeSubmitJobKind } from "./submitJobKind.ts"
import { canResubmit, SubmitOutcomeUnknown, VideoSubmitter } from "./VideoSubmitter.ts"
import type { VideoJob } from "../VideoJob.ts"
import * as VideoJobId from "../VideoJobId.ts"
import { VideoStore } from "../VideoStore.ts"

const work = Effect.gen(function* () {
  const catalog = yield* Catalog
  const { finalize } = yield* VideoFinalizer
  const jobs = yield* DurableJobs
  const kind = makeSubmitJobKind(yield* Settings)
  const store = yield* VideoStore
  const { submit } = yield* VideoSubmitter
  // A healthy provider may use every slot, because it frees them soon.
  const bulkhead = makeBulkhead({
    perHealthy: submitConcurrency,
    perUnknown: submitConcurrency,
    totalUnhealthy: submitConcurrency / 2
  })

  const giveUp = Effect.fnUntraced(function* (id: string) {
    const job = VideoJobId.is(id) ? yield* store.find(id) : undefined
    if (job === undefined || job.assignment !== undefined || job.end !== undefined) return
    // Another writer changed the job: the retry reads the new state.
    if ((yield* finalize(job, toUnknownOutcome(job))) === undefined) {
      return yield* new SubmitOutcomeUnknown({ candidate: undefined })
    }
  })

  /** The health of the provider that was first in line, as far as the submit shows it. */
  const isHealthy = (
    provider: string,
    { model }: VideoJob,
    exit: Exit.Exit<string | undefined, SubmitOutcomeUnknown>
  ): boolean | undefined => {
    const isFirst = (candidate: string | undefined) =>
      candidate !== undefined && toProviderSlug(candidate, model, catalog.current()) === provider
    if (Exit.isSuccess(exit)) return isFirst(exit.value) || undefined
    return isFirst(Option.getOrUndefined(Exit.findErrorOption(exit))?.candidate) ? false : undefined
  }

  /** The step only finalizes the job, which needs no slot. */
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
      const release = isLocalOnly(job, provider) ? () => {} : bulkhead.tryAcquire(provider)
      if (release === undefined) {
        const later = {
          id,
          deferrals: deferrals + 1,
          previousAttempts: previousAttempts + attempt - 1
        }
        return yield* jobs.offer(kind, toDeferredSubmitStep(later, yield* Random.next))
      }
      yield* submit(job).pipe(
        Effect.onExit((exit) => Effect.sync(() => release(isHealthy(provider, job, exit)))),
        Effect.catchTag("SubmitOutcomeUnknown", (unknown) =>
          previousAttempts + attempt < kind.maxAttempts ? Effect.fail(unknown) : giveUp(id)
        )
      )
    }),
    onExhausted: ({ id }) => giveUp(id)
  })
})

/** The slug of a candidate's provider, or the candidate's id when the host has removed the provider. */
const toProviderSlug = (
  candidate: string,
  model: string,
  { resolve }: Pick<Configuration, "resolve">
): string =>
  resolve(model)?.model.endpoints.find(
    ({ id }) => candidate === id || candidate.startsWith(`${id}#`)
  )?.provider ?? candidate

export const layerSubmitWorker = Layer.effectDiscard(work).pipe(
  Layer.provide([VideoFinalizer.layer, VideoSubmitter.layer])
)
