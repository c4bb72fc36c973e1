/** Takes a job to an upstream: once, as far as the upstream lets anybody know. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as HttpClient from "effect/http/HttpClient"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Struct from "effect/Struct"
import { Catalog } from "../catalog/Catalog.ts"
import type { Model } from "../catalog/Model.ts"
import * as VideoCapabilities from "../catalog/VideoCapabilities.ts"
import type { Attempted } from "../routing/Attempted.ts"
import type { Candidate } from "../routing/Candidate.ts"
import type { Target } from "../routing/Query.ts"
import { attemptOf } from "../routing/recorded.ts"
import { Routing, type RoutingError } from "../routing/Routing.ts"
import { ModelNotFound } from "../routing/RoutingErrors.ts"
import { RoutingRules } from "../routing/RoutingRules.ts"
import { Settings } from "../Settings.ts"
import { mayBeAccepted } from "../upstreams/mayBeAccepted.ts"
import { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import type { VideoAccepted, VideoCapability } from "../upstreams/VideoCapability.ts"
import { StoreUnavailable } from "../values/StoreUnavailable.ts"
import { discreetReport } from "./discreetReport.ts"
import { cancelled, type Ending, ending, neverKnown } from "./ending.ts"
import { madeAtMost } from "./fitted.ts"
import { following } from "./following.ts"
import { holding } from "./holding.ts"
import { mayRepeat } from "./mayRepeat.ts"
import { nextPoll } from "./nextPoll.ts"
import { plannedOf } from "./plannedOf.ts"
import { queryOf } from "./queryOf.ts"
import { reaching } from "./reaching.ts"
import { videoCall } from "./videoCall.ts"
import type { VideoJob, VideoPlace, VideoPlan } from "./VideoJob.ts"
import { skusOf } from "./videoPrice.ts"
import { VideoStore } from "./VideoStore.ts"
import { whyFailed } from "./whyFailed.ts"
import { withoutPictures } from "./withoutPictures.ts"

/** Nobody knows whether the upstream has the job: it is asked again, and nobody else is. */
export class FateUnknown extends Data.TaggedError("FateUnknown")<{
  /** The id of the candidate that did not say; undefined: nobody was asked. */
  readonly at: string | undefined
}> {}

/** A step under way, and the job as this step wrote it last. */
interface Progress {
  job: VideoJob
  /** Somebody else wrote to the job: it is over, or theirs. */
  isOvertaken: boolean
  /** Nobody can learn what became of it without having it made once more, and that is not to be. */
  isForsaken: boolean
  /** As its record is going to say; undefined before it is planned. */
  plan: VideoPlan | undefined
  readonly attempts: Array<Attempted>
}

export const submitting = Effect.gen(function* () {
  const catalog = yield* Catalog
  const client = yield* HttpClient.HttpClient
  const end = yield* ending
  const follow = yield* following
  const money = yield* holding
  const reach = yield* reaching
  const routing = yield* Routing
  const { failureRules } = yield* RoutingRules
  const settings = yield* Settings
  const store = yield* VideoStore

  const write = Effect.fnUntraced(function* (
    progress: Progress,
    change: (job: VideoJob) => VideoJob
  ) {
    while (!progress.isOvertaken) {
      const { job } = progress
      const after = { ...change(job), turn: job.turn + 1 }
      if (yield* store.replace(job.turn, after)) {
        progress.job = after
        return true
      }
      const now = yield* store.find(job.id)
      // Whoever wants it cancelled leaves the rest to this step.
      if (now !== undefined && isWantedCancelled(job, now)) progress.job = now
      else progress.isOvertaken = true
    }
    return false
  })

  /** It is written down who is asked before it is asked: a process that dies then does not ask somebody else. */
  const askAt = Effect.fnUntraced(function* (
    progress: Progress,
    { candidate, capability, credential }: Target<VideoCapability>,
    model: Model
  ) {
    const isRepeated = progress.job.submittingTo === candidate.id
    const isSafe = isRepeated && capability.takesIdempotencyKey === true
    if (isRepeated && !mayRepeat(progress.job, capability)) {
      progress.isForsaken = true
      return yield* new UpstreamFailure({ kind: "bad_request", detail: "it may have the job" })
    }
    const asked = isRepeated ? { submittedTwice: true as const } : { submittingTo: candidate.id }
    if (!isSafe && !(yield* write(progress, (job) => ({ ...job, ...asked })))) {
      return yield* new UpstreamFailure({ kind: "bad_request", detail: "the job is over" })
    }
    const call = videoCall(progress.job, {
      endpoint: candidate.endpoint,
      capabilities: model.video,
      credential
    })
    const { report, upstreamId } = yield* Effect.tapError(
      Effect.provideService(capability.submit(call), HttpClient.HttpClient, client),
      (failure) =>
        isSafe || mayBeAccepted(failure)
          ? Effect.void
          : write(progress, (job) =>
              Struct.omit(job, [isRepeated ? "submittedTwice" : "submittingTo"])
            )
    )
    return { report: discreetReport(report, credential), upstreamId }
  })

  const route = Effect.fnUntraced(function* (
    progress: Progress
  ): Effect.fn.Return<
    { readonly value: VideoAccepted; readonly candidate: Candidate; readonly model: Model },
    RoutingError
  > {
    const { job } = progress
    const configuration = catalog.current()
    const model = configuration.resolve(job.request.model)?.model
    if (model === undefined) return yield* new ModelNotFound({ model: job.request.model })
    const among = new Set(job.submittingTo === undefined ? job.candidates : [job.submittingTo])
    const { candidate, value } = yield* routing.route<VideoCapability, VideoAccepted, never>(
      {
        // It was logged when the job was accepted.
        ...queryOf(job, job, model, configuration, constVoid),
        among
      },
      {
        mayFallBack: (failure) => !progress.job.cancelWanted && !mayBeAccepted(failure),
        run: (target) => Effect.map(askAt(progress, target, model), (value) => ({ value }))
      },
      {
        planned: (planned) => {
          progress.plan = plannedOf(planned, { plan: job.plan, among })
        },
        attempted: (attempted) => {
          progress.attempts.push(attempted)
        }
      }
    )
    return { candidate, value, model }
  })

  const place = Effect.fnUntraced(function* (
    progress: Progress,
    candidate: Candidate,
    model: Model,
    { report, upstreamId }: VideoAccepted
  ) {
    const { endpoint } = candidate
    const placed: VideoPlace = {
      candidate: candidate.id,
      endpoint: endpoint.id,
      provider: endpoint.provider,
      providerName: candidate.providerName,
      ...(candidate.credential === undefined ? undefined : { credential: candidate.credential.id }),
      upstreamId,
      skus: skusOf(endpoint, model.video ?? VideoCapabilities.unknown),
      atMost: madeAtMost(progress.job, candidate, model, catalog.current(), constVoid)
    }
    const now = yield* Clock.currentTimeMillis
    const random = yield* Random.next
    const isKept = yield* patiently(
      write(progress, (job) => ({
        ...Struct.omit(job, ["submittedTwice", "submittingTo"]),
        ...foundOut(progress),
        request: withoutPictures(job.request),
        place: placed,
        dueAt: nextPoll(
          {
            ...job,
            now,
            random,
            everyMillis: reach.capabilityOf(placed)?.pollEveryMillis
          },
          settings
        )
      }))
    )
    if (isKept) return yield* Effect.asVoid(follow(progress.job, report))
    // Over while it was submitted: nobody waits for it any more, unless it is what somebody else has placed.
    const other = yield* store.find(progress.job.id)
    if (other?.end === undefined && other?.place?.upstreamId === upstreamId) return
    yield* reach.stop({ ...progress.job, place: placed })
  })

  const refused = Effect.fnUntraced(function* (progress: Progress, error: RoutingError) {
    if (progress.isOvertaken) return
    if (progress.isForsaken) return yield* endOrAgain(progress.job, neverKnown(progress.job))
    const { submittingTo } = progress.job
    if (error._tag === "OutOfTime" || (submittingTo !== undefined && !isFinal(error))) {
      if (progress.attempts.length > 0) {
        yield* write(progress, (job) => ({ ...job, ...foundOut(progress) }))
      }
      return yield* new FateUnknown({ at: submittingTo })
    }
    const { job } = progress
    yield* endOrAgain(
      { ...job, ...foundOut(progress) },
      job.cancelWanted ? cancelled(true) : { status: "failed", error: whyFailed(error) }
    )
  })

  const endOrAgain = Effect.fnUntraced(function* (job: VideoJob, how: Ending) {
    // Somebody wrote to it meanwhile: whoever looks again sees what is left to do.
    if ((yield* end(job, how)) === undefined) return yield* new FateUnknown({ at: undefined })
  })

  /** The upstream knows what it was asked, and will not do it: so it did not the first time either. */
  const isFinal = (error: RoutingError): boolean => {
    const last = error._tag === "AttemptsFailed" ? error.attempts.at(-1)?.failure : undefined
    return last !== undefined && !mayBeAccepted(last) && !failureRules[last.kind].fallback
  }

  /** The id of the candidate that has taken it; undefined: nobody has, or nobody is to be asked any more. */
  return Effect.fnUntraced(function* (
    job: VideoJob
  ): Effect.fn.Return<string | undefined, FateUnknown> {
    // Whoever was asked has refused it, and nobody else is to be asked.
    if (job.cancelWanted && job.submittingTo === undefined) {
      yield* endOrAgain(job, cancelled(true))
      return undefined
    }
    const heldUntil = yield* money.prolong(job, settings.videoLeaseMillis)
    const progress: Progress = {
      job: { ...job, heldUntil },
      isOvertaken: false,
      isForsaken: false,
      plan: job.plan,
      attempts: []
    }
    const routed = yield* Effect.result(route(progress))
    if (Result.isFailure(routed)) {
      yield* refused(progress, routed.failure)
      return undefined
    }
    const { candidate, model, value } = routed.success
    yield* place(progress, candidate, model, value)
    return candidate.id
  })
})

/** A store that is away for a moment does not lose who has taken a job: it would be asked for once more. */
const patiently = <A>(effect: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.catchDefect(effect, (defect) =>
    defect instanceof StoreUnavailable ? Effect.fail(defect) : Effect.die(defect)
  ).pipe(
    Effect.retry(Schedule.spaced("1 second").pipe(Schedule.upTo({ duration: "10 seconds" }))),
    Effect.orDie
  )

/** Nothing else was written: the submit is still this step's. */
const isWantedCancelled = (before: VideoJob, now: VideoJob): boolean =>
  now.cancelWanted === true && before.cancelWanted !== true && now.turn === before.turn + 1

/** The latest, should a submit be repeated for long. */
const mostAttempts = 50

const foundOut = (progress: Progress): Pick<VideoJob, "attempts" | "plan"> => ({
  attempts: attemptsOf(progress),
  ...(progress.plan === undefined ? undefined : { plan: progress.plan })
})

const attemptsOf = ({ attempts, job }: Progress): VideoJob["attempts"] =>
  Arr.takeRight(
    [
      ...job.attempts,
      ...attempts.map((attempted) =>
        Struct.omit(attemptOf(attempted), ["cost", "upstreamCost", "usage"])
      )
    ],
    mostAttempts
  )
