/** Runs the steps that take jobs to upstreams; one that hangs keeps no other waiting. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import { Catalog } from "../catalog/Catalog.ts"
import { DurableJobs } from "../jobs/DurableJobs.ts"
import { makeSlots } from "../jobs/slots.ts"
import { ending, neverKnown } from "./ending.ts"
import { mayRepeat } from "./mayRepeat.ts"
import { providerOf } from "./providerOf.ts"
import { putOffStep, submitConcurrency, submitKind } from "./submitKind.ts"
import { FateUnknown, submitting } from "./submitting.ts"
import type { VideoJob } from "./VideoJob.ts"
import * as VideoJobId from "./VideoJobId.ts"
import { VideoStore } from "./VideoStore.ts"

export const submitWork = Effect.gen(function* () {
  const catalog = yield* Catalog
  const end = yield* ending
  const jobs = yield* DurableJobs
  const kind = yield* submitKind
  const store = yield* VideoStore
  const submit = yield* submitting
  // One that is well may have all: what it answers soon keeps nobody waiting.
  const slots = makeSlots({
    each: submitConcurrency,
    unknown: submitConcurrency,
    unwell: submitConcurrency / 2
  })

  const giveUp = Effect.fnUntraced(function* (id: string) {
    const job = VideoJobId.is(id) ? yield* store.find(id) : undefined
    if (job === undefined || job.place !== undefined || job.end !== undefined) return
    // Somebody wrote to it meanwhile: done once more, this sees what is left to do.
    if ((yield* end(job, neverKnown(job))) === undefined) {
      return yield* new FateUnknown({ at: undefined })
    }
  })

  /** How it is with the provider that was to be asked first, as far as a submit tells. */
  const isWell = (
    provider: string,
    { model }: VideoJob,
    told: Exit.Exit<string | undefined, FateUnknown>
  ): boolean | undefined => {
    const isOf = (candidate: string | undefined) =>
      candidate !== undefined && providerOf(candidate, model, catalog.current()) === provider
    if (Exit.isSuccess(told)) return isOf(told.value) || undefined
    return isOf(Option.getOrUndefined(Exit.findErrorOption(told))?.at) ? false : undefined
  }

  /** It only ends: that needs no room. */
  const asksNobody = (job: VideoJob, provider: string): boolean =>
    job.submittingTo === undefined
      ? job.cancelWanted === true
      : !mayRepeat(job, catalog.current().upstreams.get(provider)?.videos)

  yield* jobs.work(kind, {
    run: Effect.fnUntraced(function* ({ id, put_off = 0, tried = 0 }, { attempt }) {
      const job = yield* store.find(id)
      if (job === undefined || job.place !== undefined || job.end !== undefined) return
      const { candidates, model, submittingTo } = job
      const [first = ""] = submittingTo === undefined ? candidates : [submittingTo]
      const provider = providerOf(first, model, catalog.current())
      const leave = asksNobody(job, provider) ? () => {} : slots.enter(provider)
      if (leave === undefined) {
        const later = { id, put_off: put_off + 1, tried: tried + attempt - 1 }
        return yield* jobs.offer(kind, putOffStep(later, yield* Random.next))
      }
      yield* submit(job).pipe(
        Effect.onExit((exit) => Effect.sync(() => leave(isWell(provider, job, exit)))),
        Effect.catchTag("FateUnknown", (unknown) =>
          tried + attempt < kind.attempts ? Effect.fail(unknown) : giveUp(id)
        )
      )
    }),
    onExhausted: ({ id }) => giveUp(id)
  })
})
