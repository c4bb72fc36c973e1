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
import { Catalog } from "../../catalog/Catalog.ts"
import type { Model } from "../../catalog/Model.ts"
import * as VideoCapabilities from "../../catalog/VideoCapabilities.ts"
import type { RouteAttempt } from "../../routing/attempt/RouteAttempt.ts"
import type { Candidate } from "../../routing/Candidate.ts"
import type { OperationTarget } from "../../routing/RouteQuery.ts"
import { toGenerationAttempt } from "../../routing/record/toGenerationAttempt.ts"
import { Routing, type RoutingError } from "../../routing/Routing.ts"
import { ModelNotFound } from "../../routing/RoutingErrors.ts"
import { RoutingRules } from "../../routing/RoutingRules.ts"
import { Settings } from "../../Settings.ts"
import { isPossiblyAccepted } from "../../upstreams/failures/isPossiblyAccepted.ts"
import { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import type { VideoSubmission, VideoCapability } from "../../upstreams/VideoCapability.ts"
import { StoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import { redactReport } from "../poll/redactReport.ts"
import {
  toCancelledOutcome,
  type VideoOutcome,
  makeVideoFinalizer,
  toUnknownOutcome
} from "../finalize/VideoFinalizer.ts"
import { estimateMaxUsage } from "../pricing/priceCandidate.ts"
import { makeVideoReportApplier } from "../poll/VideoReportApplier.ts"
import { makeVideoReservations } from "../pricing/VideoReservations.ts"
import { canResubmit } from "./canResubmit.ts"
import { scheduleNextPoll } from "../poll/scheduleNextPoll.ts"
import { toVideoPlan } from "./toVideoPlan.ts"
import { toRoutingQuery } from "./toRoutingQuery.ts"
import { makeVideoUpstream } from "../poll/VideoUpstream.ts"
import { toVideoCall } from "./toVideoCall.ts"
import type { VideoJob, VideoAssignment, VideoPlan } from "../VideoJob.ts"
import { resolveSkus } from "../pricing/priceVideo.ts"
import { VideoStore } from "../VideoStore.ts"
import { toFailureMessage } from "./toFailureMessage.ts"
import { stripInlineMedia } from "../request/stripInlineMedia.ts"

/** Nobody knows whether the upstream has the job: it is asked again, and nobody else is. */
export class SubmitOutcomeUnknown extends Data.TaggedError("SubmitOutcomeUnknown")<{
  /** The id of the candidate that did not say; undefined: nobody was asked. */
  readonly candidate: string | undefined
}> {}

/** A step under way, and the job as this step wrote it last. */
interface SubmitProgress {
  job: VideoJob
  /** Somebody else wrote to the job: it is over, or theirs. */
  isSuperseded: boolean
  /** Nobody can learn what became of it without having it made once more, and that is not to be. */
  isUnrecoverable: boolean
  /** As its record is going to say; undefined before it is planned. */
  plan: VideoPlan | undefined
  readonly attempts: Array<RouteAttempt>
}

export const makeVideoSubmitter = Effect.gen(function* () {
  const catalog = yield* Catalog
  const client = yield* HttpClient.HttpClient
  const end = yield* makeVideoFinalizer
  const follow = yield* makeVideoReportApplier
  const reservations = yield* makeVideoReservations
  const reach = yield* makeVideoUpstream
  const routing = yield* Routing
  const { failureRules } = yield* RoutingRules
  const settings = yield* Settings
  const store = yield* VideoStore

  const write = Effect.fnUntraced(function* (
    progress: SubmitProgress,
    change: (job: VideoJob) => VideoJob
  ) {
    while (!progress.isSuperseded) {
      const { job } = progress
      const after: VideoJob = { ...change(job), version: job.version + 1 }
      if (yield* store.replace(job.version, after)) {
        progress.job = after
        return true
      }
      const now = yield* store.find(job.id)
      // Whoever wants it cancelled leaves the rest to this step.
      if (now !== undefined && isCancelRequested(job, now)) progress.job = now
      else progress.isSuperseded = true
    }
    return false
  })

  /** It is written down who is asked before it is asked: a process that dies then does not ask somebody else. */
  const submitTo = Effect.fnUntraced(function* (
    progress: SubmitProgress,
    { candidate, capability, credential }: OperationTarget<VideoCapability>,
    model: Model
  ) {
    const isRepeated = progress.job.submittingTo === candidate.id
    const isSafe = isRepeated && capability.supportsIdempotencyKey === true
    if (isRepeated && !canResubmit(progress.job, capability)) {
      progress.isUnrecoverable = true
      return yield* new UpstreamFailure({ kind: "bad_request", detail: "it may have the job" })
    }
    const asked = isRepeated ? { submittedTwice: true as const } : { submittingTo: candidate.id }
    if (!isSafe && !(yield* write(progress, (job) => ({ ...job, ...asked })))) {
      return yield* new UpstreamFailure({ kind: "bad_request", detail: "the job is over" })
    }
    const call = toVideoCall(progress.job, {
      endpoint: candidate.endpoint,
      capabilities: model.video,
      credential
    })
    const { report, upstreamId } = yield* Effect.tapError(
      Effect.provideService(capability.submit(call), HttpClient.HttpClient, client),
      (failure) =>
        isSafe || isPossiblyAccepted(failure)
          ? Effect.void
          : write(progress, (job) =>
              Struct.omit(job, [isRepeated ? "submittedTwice" : "submittingTo"])
            )
    )
    return { report: redactReport(report, credential), upstreamId }
  })

  const route = Effect.fnUntraced(function* (
    progress: SubmitProgress
  ): Effect.fn.Return<
    { readonly value: VideoSubmission; readonly candidate: Candidate; readonly model: Model },
    RoutingError
  > {
    const { job } = progress
    const configuration = catalog.current()
    const model = configuration.resolve(job.request.model)?.model
    if (model === undefined) return yield* new ModelNotFound({ model: job.request.model })
    const allowedIds = new Set(job.submittingTo === undefined ? job.candidates : [job.submittingTo])
    const { candidate, value } = yield* routing.route<VideoCapability, VideoSubmission, never>(
      {
        // It was logged when the job was accepted.
        ...toRoutingQuery(job, job, model, configuration, constVoid),
        allowedIds
      },
      {
        canFallBack: (failure) => !progress.job.cancelRequested && !isPossiblyAccepted(failure),
        run: (target) => Effect.map(submitTo(progress, target, model), (value) => ({ value }))
      },
      {
        onPlan: (planned) => {
          progress.plan = toVideoPlan(planned, { plan: job.plan, among: allowedIds })
        },
        onAttempt: (attempted) => {
          progress.attempts.push(attempted)
        }
      }
    )
    return { candidate, value, model }
  })

  const assign = Effect.fnUntraced(function* (
    progress: SubmitProgress,
    candidate: Candidate,
    model: Model,
    { report, upstreamId }: VideoSubmission
  ) {
    const { endpoint } = candidate
    const placed: VideoAssignment = {
      candidate: candidate.id,
      endpoint: endpoint.id,
      provider: endpoint.provider,
      providerName: candidate.providerName,
      ...(candidate.credential === undefined ? undefined : { credential: candidate.credential.id }),
      upstreamId,
      skus: resolveSkus(endpoint, model.video ?? VideoCapabilities.unknownCapabilities),
      maxUsage: estimateMaxUsage(progress.job, candidate, model, catalog.current(), constVoid)
    }
    const now = yield* Clock.currentTimeMillis
    const random = yield* Random.next
    const isKept = yield* retryWhileUnavailable(
      write(progress, (job) => ({
        ...Struct.omit(job, ["submittedTwice", "submittingTo"]),
        ...toJobUpdate(progress),
        request: stripInlineMedia(job.request),
        assignment: placed,
        dueAt: scheduleNextPoll(
          {
            ...job,
            now,
            random,
            intervalMillis: reach.findCapability(placed)?.pollIntervalMillis
          },
          settings
        )
      }))
    )
    if (isKept) return yield* Effect.asVoid(follow(progress.job, report))
    // Over while it was submitted: nobody waits for it any more, unless it is what somebody else has placed.
    const other = yield* store.find(progress.job.id)
    if (other?.end === undefined && other?.assignment?.upstreamId === upstreamId) return
    yield* reach.stop({ ...progress.job, assignment: placed })
  })

  const handleFailure = Effect.fnUntraced(function* (
    progress: SubmitProgress,
    error: RoutingError
  ) {
    if (progress.isSuperseded) return
    if (progress.isUnrecoverable)
      return yield* finalizeOrRetry(progress.job, toUnknownOutcome(progress.job))
    const { submittingTo } = progress.job
    if (error._tag === "DeadlineExceeded" || (submittingTo !== undefined && !isPermanent(error))) {
      if (progress.attempts.length > 0) {
        yield* write(progress, (job) => ({ ...job, ...toJobUpdate(progress) }))
      }
      return yield* new SubmitOutcomeUnknown({ candidate: submittingTo })
    }
    const { job } = progress
    yield* finalizeOrRetry(
      { ...job, ...toJobUpdate(progress) },
      job.cancelRequested
        ? toCancelledOutcome(true)
        : { status: "failed", error: toFailureMessage(error) }
    )
  })

  const finalizeOrRetry = Effect.fnUntraced(function* (job: VideoJob, how: VideoOutcome) {
    // Somebody wrote to it meanwhile: whoever looks again sees what is left to do.
    if ((yield* end(job, how)) === undefined)
      return yield* new SubmitOutcomeUnknown({ candidate: undefined })
  })

  /** The upstream knows what it was asked, and will not do it: so it did not the first time either. */
  const isPermanent = (error: RoutingError): boolean => {
    const last = error._tag === "AttemptsFailed" ? error.attempts.at(-1)?.failure : undefined
    return last !== undefined && !isPossiblyAccepted(last) && !failureRules[last.kind].fallback
  }

  /** The id of the candidate that has taken it; undefined: nobody has, or nobody is to be asked any more. */
  return Effect.fnUntraced(function* (
    job: VideoJob
  ): Effect.fn.Return<string | undefined, SubmitOutcomeUnknown> {
    // Whoever was asked has refused it, and nobody else is to be asked.
    if (job.cancelRequested && job.submittingTo === undefined) {
      yield* finalizeOrRetry(job, toCancelledOutcome(true))
      return undefined
    }
    const reservedUntil = yield* reservations.renew(job, settings.videoReservationLeaseMillis)
    const progress: SubmitProgress = {
      job: { ...job, reservedUntil },
      isSuperseded: false,
      isUnrecoverable: false,
      plan: job.plan,
      attempts: []
    }
    const routed = yield* Effect.result(route(progress))
    if (Result.isFailure(routed)) {
      yield* handleFailure(progress, routed.failure)
      return undefined
    }
    const { candidate, model, value } = routed.success
    yield* assign(progress, candidate, model, value)
    return candidate.id
  })
})

/** A store that is away for a moment does not lose who has taken a job: it would be asked for once more. */
const retryWhileUnavailable = <A>(effect: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.catchDefect(effect, (defect) =>
    defect instanceof StoreUnavailable ? Effect.fail(defect) : Effect.die(defect)
  ).pipe(
    Effect.retry(Schedule.spaced("1 second").pipe(Schedule.upTo({ duration: "10 seconds" }))),
    Effect.orDie
  )

/** Nothing else was written: the submit is still this step's. */
const isCancelRequested = (before: VideoJob, now: VideoJob): boolean =>
  now.cancelRequested === true &&
  before.cancelRequested !== true &&
  now.version === before.version + 1

/** The latest, should a submit be repeated for long. */
const maxRecordedAttempts = 50

const toJobUpdate = (progress: SubmitProgress): Pick<VideoJob, "attempts" | "plan"> => ({
  attempts: toAttempts(progress),
  ...(progress.plan === undefined ? undefined : { plan: progress.plan })
})

const toAttempts = ({ attempts, job }: SubmitProgress): VideoJob["attempts"] =>
  Arr.takeRight(
    [
      ...job.attempts,
      ...attempts.map((attempted) =>
        Struct.omit(toGenerationAttempt(attempted), ["cost", "upstreamCost", "usage"])
      )
    ],
    maxRecordedAttempts
  )
