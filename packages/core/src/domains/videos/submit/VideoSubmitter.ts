/** Submits a job to an upstream: once, as far as the upstream supports idempotency keys. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Struct from "effect/Struct"
import { Catalog } from "../../../engine/catalog/Catalog.ts"
import type { Model } from "../../../engine/catalog/model/Model.ts"
import * as VideoCapabilities from "../../../engine/catalog/model/VideoCapabilities.ts"
import { continueTrace } from "../../../engine/observability/tracing/traceContext.ts"
import type { Candidate } from "../../../routing/Candidate.ts"
import type { RouteTarget } from "../../../routing/RouteWork.ts"
import { Routing, type RoutingError } from "../../../routing/Routing.ts"
import { ModelNotFound } from "../../../routing/RoutingErrors.ts"
import { RoutingRules } from "../../../routing/RoutingRules.ts"
import { Settings } from "../../../instance/Settings.ts"
import {
  UpstreamFailure,
  isPossiblyAccepted
} from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import type { VideoSubmission, VideoCapability } from "../../../engine/upstreams/VideoCapability.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import { StoreUnavailable } from "../../../values/errors/StoreUnavailable.ts"
import {
  toCancelledOutcome,
  type VideoOutcome,
  VideoFinalizer,
  toUnknownOutcome
} from "../finalize/VideoFinalizer.ts"
import { estimateMaxUsage } from "../pricing/priceCandidate.ts"
import { VideoReportApplier } from "../poll/VideoReportApplier.ts"
import { VideoReservations } from "../pricing/VideoReservations.ts"
import { scheduleNextPoll } from "../poll/scheduleNextPoll.ts"
import { toRoutingQuery, toVideoPlan } from "./toVideoPlan.ts"
import { redactReport, VideoUpstream } from "../poll/VideoUpstream.ts"
import { toVideoCall } from "./toVideoCall.ts"
import type { VideoJob, VideoAssignment } from "../VideoJob.ts"
import { resolveSkus } from "../pricing/priceVideo.ts"
import { VideoClock } from "../VideoClock.ts"
import { VideoStore } from "../VideoStore.ts"
import { toFailureMessage } from "./toFailureMessage.ts"
import { listOmittedFields } from "../request/parseVideoRequest.ts"
import { stripInlineMedia } from "../request/stripInlineMedia.ts"
import { isCancelRequested, isClaimed, type SubmitProgress, toJobUpdate } from "./SubmitProgress.ts"

/** It is not known whether the upstream accepted the job: the submit is retried at the same candidate only. */
export class SubmitOutcomeUnknown extends Data.TaggedError("SubmitOutcomeUnknown")<{
  /** The id of the candidate that did not answer; undefined when no candidate was called. */
  readonly candidate: string | undefined
}> {}

/** Submits jobs to upstreams. */
export class VideoSubmitter extends Context.Service<
  VideoSubmitter,
  {
    /**
     * The id of the candidate that accepted the job; undefined when none did, or the job was cancelled before
     * any was called.
     */
    readonly submit: (job: VideoJob) => Effect.Effect<string | undefined, SubmitOutcomeUnknown>
  }
>()("@signalbox/core/domains/videos/submit/VideoSubmitter") {
  static readonly layer = Layer.effect(
    VideoSubmitter,
    Effect.gen(function* () {
      const catalog = yield* Catalog
      const client = yield* HttpClient.HttpClient
      const { finalize } = yield* VideoFinalizer
      const { applyReport } = yield* VideoReportApplier
      const reservations = yield* VideoReservations
      const upstream = yield* VideoUpstream
      const routing = yield* Routing
      const { failureRules } = yield* RoutingRules
      const settings = yield* Settings
      const store = yield* VideoStore
      const time = yield* VideoClock

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
          // A cancellation request leaves the job to this step, and so does a claim before its deadline.
          if (now !== undefined && (isCancelRequested(job, now) || isClaimed(job, now)))
            progress.job = now
          else progress.isSuperseded = true
        }
        return false
      })

      /** Stores the candidate before the call, so that a crash cannot lead to a submit at another provider. */
      const submitTo = Effect.fnUntraced(function* (
        progress: SubmitProgress,
        { candidate, capability, credential }: RouteTarget<VideoCapability>,
        model: Model
      ) {
        const isRepeated = progress.job.submittingTo === candidate.id
        const isSafe = isRepeated && capability.supportsIdempotencyKey === true
        if (isRepeated && !canResubmit(progress.job, capability)) {
          progress.isUnrecoverable = true
          return yield* new UpstreamFailure({
            kind: "bad_request",
            detail: "it may have accepted the job"
          })
        }
        const mark = isRepeated ? { submittedTwice: true as const } : { submittingTo: candidate.id }
        if (!isSafe && !(yield* write(progress, (job) => ({ ...job, ...mark })))) {
          return yield* new UpstreamFailure({ kind: "bad_request", detail: "the job has ended" })
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
        const allowedIds = new Set(
          job.submittingTo === undefined ? job.candidates : [job.submittingTo]
        )
        // Routing begins when it is called.
        const routed = Effect.suspend(() =>
          routing.route<VideoCapability, VideoSubmission, never>(
            {
              // Defects were logged when the job was accepted.
              ...toRoutingQuery(job, job, model, configuration, constVoid),
              allowedIds
            },
            {
              canFallBack: (failure) =>
                !progress.job.cancelRequested && !isPossiblyAccepted(failure),
              run: (target, { reportChange }) => {
                const { omittedFields } = target.candidate
                const omitted = listOmittedFields(job.request, omittedFields)
                const lost = [...(job.ignored ?? []), ...omitted]
                // Refused when the job was accepted, if it was to be.
                if (lost.length > 0) reportChange(lost, "asked")
                return Effect.map(submitTo(progress, target, model), (value) => ({ value }))
              }
            },
            {
              onPlan: (planned) => {
                progress.plan = toVideoPlan(planned, { plan: job.plan, among: allowedIds })
              },
              onAttempt: (attempt) => {
                progress.attempts.push(attempt)
              }
            }
          )
        )
        const { candidate, value } = yield* continueTrace(routed, job.traceparent)
        return { candidate, value, model }
      })

      const assign = Effect.fnUntraced(function* (
        progress: SubmitProgress,
        candidate: Candidate,
        model: Model,
        { report, upstreamId }: VideoSubmission
      ) {
        const { endpoint } = candidate
        const assignment: VideoAssignment = {
          candidate: candidate.id,
          endpoint: endpoint.id,
          provider: endpoint.provider,
          providerName: candidate.providerName,
          ...omitUndefined({ credential: candidate.credential?.id }),
          upstreamId,
          skus: resolveSkus(endpoint, model.video ?? VideoCapabilities.unknownCapabilities),
          maxUsage: estimateMaxUsage(progress.job, candidate, model, catalog.current(), constVoid)
        }
        const { now, toCurrent } = time.read()
        const random = yield* Random.next
        const isStored = yield* retryWhileUnavailable(
          write(progress, (job) => ({
            ...Struct.omit(job, ["submittedTwice", "submittingTo"]),
            ...toJobUpdate(progress),
            request: stripInlineMedia(job.request),
            assignment,
            dueAt: scheduleNextPoll(
              {
                ...toCurrent(job),
                now,
                random,
                intervalMillis: upstream.findCapability(assignment)?.pollIntervalMillis
              },
              settings
            )
          }))
        )
        if (isStored) return yield* Effect.asVoid(applyReport(progress.job, report))
        // The job ended during the submit, so the upstream is stopped, unless another step assigned the same upstream job.
        const other = yield* store.find(progress.job.id)
        if (other?.end === undefined && other?.assignment?.upstreamId === upstreamId) return
        yield* upstream.stop({ ...progress.job, assignment })
      })

      const handleFailure = Effect.fnUntraced(function* (
        progress: SubmitProgress,
        error: RoutingError
      ) {
        if (progress.isSuperseded) return
        if (progress.isUnrecoverable)
          return yield* finalizeOrRetry(progress.job, toUnknownOutcome(progress.job))
        const { submittingTo } = progress.job
        if (
          error._tag === "DeadlineExceeded" ||
          (submittingTo !== undefined && !isPermanent(error))
        ) {
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

      const finalizeOrRetry = Effect.fnUntraced(function* (job: VideoJob, outcome: VideoOutcome) {
        // Another writer changed the job: the retry reads the new state.
        if ((yield* finalize(job, outcome)) === undefined)
          return yield* new SubmitOutcomeUnknown({ candidate: undefined })
      })

      /** The upstream refuses the request itself, so an earlier submit of the same request was refused too. */
      const isPermanent = (error: RoutingError): boolean => {
        const last = error._tag === "AttemptsFailed" ? error.attempts.at(-1)?.failure : undefined
        return last !== undefined && !isPossiblyAccepted(last) && !failureRules[last.kind].fallback
      }

      const submit = Effect.fnUntraced(function* (
        job: VideoJob
      ): Effect.fn.Return<string | undefined, SubmitOutcomeUnknown> {
        // No provider can have the job, so nothing needs to be stopped.
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

      return { submit }
    })
  ).pipe(
    Layer.provide([
      VideoClock.layer,
      VideoFinalizer.layer,
      VideoReportApplier.layer,
      VideoReservations.layer,
      VideoUpstream.layer
    ])
  )
}

/**
 * Whether a provider that may have the job may be asked for it again: always when it supports idempotency keys;
 * otherwise once, and not when the job is cancelled.
 */
export const canResubmit = (
  { cancelRequested, submittedTwice }: Pick<VideoJob, "cancelRequested" | "submittedTwice">,
  capability: Pick<VideoCapability, "supportsIdempotencyKey"> | undefined
): boolean => capability?.supportsIdempotencyKey === true || !(cancelRequested || submittedTwice)

/** Losing the assignment to a short outage of the store would lead to a second submit. */
const retryWhileUnavailable = <A>(effect: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.catchDefect(effect, (defect) =>
    defect instanceof StoreUnavailable ? Effect.fail(defect) : Effect.die(defect)
  ).pipe(
    Effect.retry(Schedule.spaced("1 second").pipe(Schedule.upTo({ duration: "10 seconds" }))),
    Effect.orDie
  )
