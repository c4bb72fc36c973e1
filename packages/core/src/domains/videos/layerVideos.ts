/** Accepts, lists and cancels video jobs, and serves their files. */
import * as Clock from "effect/Clock"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Transaction } from "../../instance/Transaction.ts"
import type { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { requireModelAccess } from "../../tenants/auth/permissions.ts"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { isVideoModel } from "../../engine/catalog/model/isVideoModel.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import * as VideoCapabilities from "../../engine/catalog/model/VideoCapabilities.ts"
import { DurableJobs } from "../../engine/jobs/DurableJobs.ts"
import type { HealthSnapshot } from "../../engine/health/HealthSnapshot.ts"
import { refreshLimit } from "../../engine/ledger/Limit.ts"
import { SpendCounters } from "../../engine/ledger/SpendCounters.ts"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { currentTraceparent, withTrace } from "../../engine/observability/tracing/traceContext.ts"
import type { Candidate } from "../../routing/Candidate.ts"
import type { Plan } from "../../routing/plan/plan.ts"
import type { RouteObserver, PlannedRoute, RouteQuery } from "../../routing/RouteQuery.ts"
import { Routing } from "../../routing/Routing.ts"
import { ModelNotFound, NoEndpoints, WrongOperation } from "../../routing/RoutingErrors.ts"
import { Settings } from "../../instance/Settings.ts"
import { SteadyTime } from "../../values/SteadyTime.ts"
import { logDefect } from "../../engine/upstreams/containUpstream.ts"
import type { UpstreamDefect } from "../../engine/upstreams/failures/UpstreamDefect.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { VideoCapability } from "../../engine/upstreams/VideoCapability.ts"
import type { Actor } from "../../values/Actor.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { parseCallbackUrl } from "../../engine/outbound/parseCallbackUrl.ts"
import { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { OptionalBlobStore } from "./content/BlobStore.ts"
import { checkVideoRequest } from "./request/checkVideoRequest.ts"
import { toCancelledOutcome, VideoFinalizer } from "./finalize/VideoFinalizer.ts"
import { VideoReservations } from "./pricing/VideoReservations.ts"
import { toBlobName } from "./content/VideoContentArchive.ts"
import { readStoredContent } from "./content/readStoredContent.ts"
import type { ParsedVideoRequest } from "./request/parseVideoRequest.ts"
import { toRoutingQuery, toVideoPlan } from "./submit/toVideoPlan.ts"
import { VideoUpstream } from "./poll/VideoUpstream.ts"
import { VideoRejectionRecorder } from "./submit/VideoRejectionRecorder.ts"
import { makeSubmitJobKind, toSubmitStep } from "./submit/submitJobKind.ts"
import type { VideoCallInput } from "./submit/toVideoCall.ts"
import {
  AllRateLimited,
  ContentGone,
  ContentUnavailable,
  NotCompleted,
  RangeNotSatisfiable
} from "./VideoStatus.ts"
import type { VideoAssignment, VideoJob } from "./VideoJob.ts"
import * as VideoJobId from "./VideoJobId.ts"
import { VideoStore } from "./VideoStore.ts"
import { Videos, type SubmitError, type Submission, type VideoOwner } from "./Videos.ts"

export const layerVideos = Layer.effect(
  Videos,
  Effect.gen(function* () {
    const { withTransaction } = yield* Transaction
    const audit = yield* Audit
    const blobs = yield* OptionalBlobStore
    const catalog = yield* Catalog
    const counters = yield* SpendCounters
    const digest = yield* Digest.Digest
    const { finalize } = yield* VideoFinalizer
    const jobs = yield* DurableJobs
    const rejections = yield* VideoRejectionRecorder
    const reservations = yield* VideoReservations
    const routing = yield* Routing
    const settings = yield* Settings
    const kind = makeSubmitJobKind(settings)
    const store = yield* VideoStore
    const upstream = yield* VideoUpstream
    const workspaces = yield* Workspaces

    const hash = (parts: unknown) =>
      digest.digestHex(Digest.sha256, encoder.encode(JSON.stringify(parts)))

    const find = Effect.fnUntraced(function* ({ account, workspace }: VideoOwner, id: string) {
      const found = VideoJobId.is(id) ? yield* store.find(id) : undefined
      return found === undefined ||
        found.account !== account ||
        (workspace !== undefined && found.workspace !== workspace)
        ? yield* new ResourceNotFound({ resource: "video", id })
        : found
    })

    /** The stored key includes the caller, so that callers cannot see each other's jobs through it. */
    const toIdempotency = Effect.fnUntraced(function* (
      { account, keyHash, user, workspace }: Caller,
      { request }: ParsedVideoRequest,
      { idempotencyKey }: Submission
    ) {
      if (idempotencyKey === undefined) return undefined
      return {
        key: yield* hash([account, workspace, keyHash, user, idempotencyKey]),
        fingerprint: yield* hash(request)
      }
    })

    /** The assignment of the job that the request continues. */
    const getPreviousAssignment = Effect.fnUntraced(function* (
      { account, workspace }: Caller,
      { previous_job_id: id }: ParsedVideoRequest["request"],
      model: Model
    ) {
      if (id === undefined) return undefined
      const { model: previousModel, assignment, status } = yield* find({ account, workspace }, id)
      if (status !== "completed" || assignment === undefined) {
        return yield* failInvalid("previous_job_id", `that job is ${status}, not completed`)
      }
      if (previousModel !== model.id) {
        return yield* failInvalid(
          "model",
          `that job was made by ${previousModel}, which must continue it`
        )
      }
      const isContinued =
        model.video?.supports_continuation ??
        upstream.findCapability(assignment)?.supportsContinuation
      if (isContinued !== true) {
        return yield* failInvalid("previous_job_id", `${model.id} does not continue videos`)
      }
      return assignment
    })

    /** Checks the request against its model, and builds the routing query. */
    const prepareQuery = Effect.fnUntraced(function* (
      caller: Caller,
      { request }: ParsedVideoRequest
    ) {
      const configuration = catalog.current()
      const resolved = configuration.resolve(request.model)
      if (resolved === undefined) {
        const nearest = yield* routing.findNearestModel(caller, request.model)
        return yield* new ModelNotFound({ model: request.model, ...omitUndefined({ nearest }) })
      }
      const { model } = resolved
      if (!isVideoModel(model)) {
        return yield* new WrongOperation({ model: model.id, operation: "videos" })
      }
      const dimensions = yield* Effect.fromResult(
        checkVideoRequest(request, {
          capabilities: model.video ?? VideoCapabilities.unknownCapabilities,
          inputs: model.card.architecture.input_modalities
        })
      )
      const callback =
        request.callback_url === undefined
          ? undefined
          : parseCallbackUrl(request.callback_url, settings)
      if (callback !== undefined && Result.isFailure(callback)) {
        return yield* failInvalid("callback_url", callback.failure)
      }
      const previous = yield* getPreviousAssignment(caller, request, model)
      const wanted: VideoCallInput = {
        id: yield* VideoJobId.next,
        request,
        dimensions,
        ...(previous === undefined
          ? undefined
          : { continues: previous.upstreamId, continued: toContinued(previous) })
      }
      const defects: Array<UpstreamDefect> = []
      const query: RouteQuery<VideoCapability> = {
        ...toRoutingQuery(caller, wanted, model, configuration, (defect) => defects.push(defect)),
        ...(previous === undefined ? undefined : { pin: previous.candidate })
      }
      return { callback: callback?.success, defects, model, query, wanted }
    })

    const submit = Effect.fnUntraced(function* (
      caller: Caller,
      parsed: ParsedVideoRequest,
      submission: Submission,
      observer: RouteObserver | undefined
    ): Effect.fn.Return<VideoJob, SubmitError> {
      yield* requireModelAccess(caller)
      if (parsed.ignored !== undefined) observer?.onIgnored?.(parsed.ignored)
      const time = new SteadyTime(yield* Clock.Clock)
      const startedAt = time.now()
      let planned: PlannedRoute | undefined
      const onPlan = (route: PlannedRoute) => {
        planned = route
        observer?.onPlan(route)
      }
      return yield* Effect.tapErrorTag(
        planAndAccept(caller, parsed, { ...submission, requestId: observer?.requestId }, onPlan),
        [
          "ModelNotFound",
          "WrongOperation",
          "NoEndpoints",
          "AllRateLimited",
          "TooManyActiveJobs",
          "LimitExceeded"
        ],
        (error) => {
          const latencyMillis = time.now() - startedAt
          return rejections.record(
            { caller, observer, parsed, planned, startedAt, latencyMillis },
            error
          )
        }
      )
    })

    const planAndAccept = Effect.fnUntraced(function* (
      caller: Caller,
      parsed: ParsedVideoRequest,
      submission: Submission & Pick<RouteObserver, "requestId">,
      onPlan: (planned: PlannedRoute) => void
    ): Effect.fn.Return<VideoJob, Exclude<SubmitError, NotPermitted>> {
      const idempotency = yield* toIdempotency(caller, parsed, submission)
      const before =
        idempotency === undefined ? undefined : yield* store.findByIdempotencyKey(idempotency.key)
      if (before !== undefined) return yield* requireSameRequest(before, idempotency?.fingerprint)
      const { callback, defects, model, query, wanted } = yield* prepareQuery(caller, parsed)
      const planned = yield* routing.plan(query)
      yield* Effect.forEach(defects, logDefect, { discard: true })
      onPlan(planned)
      const candidates = yield* getCandidates(planned)
      const now = yield* Clock.currentTimeMillis
      const job: VideoJob = {
        ...wanted,
        version: 1,
        account: caller.account,
        workspace: caller.workspace,
        kind: caller.kind,
        ...omitUndefined({
          keyHash: caller.keyHash,
          user: caller.user,
          requestId: submission.requestId,
          traceparent: yield* currentTraceparent,
          callbackUrl: callback,
          idempotency
        }),
        mount: submission.mount,
        model: model.id,
        bytes: parsed.bytes,
        status: "pending",
        createdAt: now,
        deadlineAt: now + settings.videoTimeoutMillis,
        candidates: candidates.map(({ id }) => id),
        plan: toVideoPlan(planned),
        reservations: [],
        reservedUntil: now + settings.videoReservationLeaseMillis,
        attempts: [],
        dueAt: now + settings.videoTimeoutMillis,
        polls: 0,
        failedPolls: 0
      }
      // Limits read flushed counters only.
      if (planned.limits.length > 0) yield* counters.flush()
      const stored = yield* withTransaction(accept(job, planned, candidates))
      return yield* requireSameRequest(stored, idempotency?.fingerprint)
    })

    const accept = Effect.fnUntraced(function* (
      job: VideoJob,
      { limits }: PlannedRoute,
      candidates: ReadonlyArray<Candidate>
    ) {
      const stored = yield* store.add(job, settings.maxActiveVideoJobs)
      if (stored.id !== job.id) return stored
      const reserved = yield* reservations.reserve(
        job.account,
        limits.map((limit) => refreshLimit(job.createdAt, limit)),
        candidates,
        settings.videoReservationLeaseMillis
      )
      const accepted: VideoJob =
        reserved.length === 0 ? job : { ...job, version: job.version + 1, reservations: reserved }
      if (accepted !== job) yield* store.replace(job.version, accepted)
      yield* jobs.offer(kind, toSubmitStep(job.id))
      return accepted
    })

    const cancel = (owner: VideoOwner, id: string): Effect.Effect<VideoJob, ResourceNotFound> =>
      Effect.flatMap(find(owner, id), (job) => {
        if (job.end !== undefined || job.cancelRequested) return Effect.succeed(job)
        return isSubmitting(job)
          ? requestCancel(owner, job)
          : Effect.flatMap(upstream.stop(job), (isStopped) =>
              finalizeCancelled(owner, job, isStopped)
            )
      })

    /**
     * A provider may have accepted the job and charge for it: the submit step learns that, and finalizes the
     * job with the cost.
     */
    const requestCancel = (owner: VideoOwner, job: VideoJob) => {
      const cancelling: VideoJob = { ...job, version: job.version + 1, cancelRequested: true }
      return Effect.flatMap(
        audit.change(
          owner,
          "video.cancel",
          Effect.map(store.replace(job.version, cancelling), (isStored) => ({
            result: isStored,
            target: isStored ? job.id : undefined,
            before: { status: job.status },
            after: { status: job.status, cancel_wanted: true }
          }))
        ),
        (isStored) => (isStored ? Effect.succeed(cancelling) : cancel(owner, job.id))
      )
    }

    /** The job is read again, because it may have been polled while it was stopped. */
    const finalizeCancelled = (
      owner: VideoOwner,
      { id, assignment }: VideoJob,
      isStopped: boolean
    ): Effect.Effect<VideoJob, ResourceNotFound> =>
      Effect.flatMap(find(owner, id), (job) => {
        if (job.end !== undefined) return Effect.succeed(job)
        // A submit has started or was accepted in the meantime.
        if (job.assignment?.upstreamId !== assignment?.upstreamId || isSubmitting(job))
          return cancel(owner, id)
        return Effect.flatMap(tryFinalizeCancelled(owner, job, isStopped), (ended) =>
          // Another writer changed the job, which may even have ended.
          ended === undefined ? finalizeCancelled(owner, job, isStopped) : Effect.succeed(ended)
        )
      })

    const tryFinalizeCancelled = (actor: Actor, job: VideoJob, isStopped: boolean) =>
      audit.change(
        actor,
        "video.cancel",
        Effect.map(finalize(job, toCancelledOutcome(isStopped)), (result) => ({
          result,
          target: result?.id,
          before: { status: job.status },
          after: { status: result?.status }
        }))
      )

    return {
      submit: (caller, parsed, submission, observer) =>
        withTrace(
          () => submit(caller, parsed, submission, observer),
          parsed.request.trace,
          "video",
          observer
        ),
      plan: (caller, parsed, replay) =>
        Effect.flatMap(prepareQuery(caller, parsed), ({ query }) => routing.plan(query, replay)),
      get: find,
      list: Effect.fnUntraced(function* (actor, { workspace, ...filter }, page) {
        const resolvedFilter =
          workspace === undefined
            ? filter
            : { ...filter, workspace: (yield* workspaces.get(actor, workspace)).id }
        return yield* store.list(actor.account, resolvedFilter, page)
      }),
      cancel,
      getContent: Effect.fnUntraced(function* (owner, id, { index, range }) {
        const { account, end: ended, id: job, assignment, status } = yield* find(owner, id)
        if (status !== "completed") return yield* new NotCompleted({ status })
        const output = ended?.outputs.find((each) => each.index === index)
        if (ended === undefined || assignment === undefined || output === undefined) {
          return yield* new ResourceNotFound({
            resource: "file of this video",
            id: String(index)
          })
        }
        if (ended.contentUntil <= (yield* Clock.currentTimeMillis)) return yield* new ContentGone()
        const stored = ended.storedFiles?.find((each) => each.index === index)
        if (blobs !== undefined && stored !== undefined) {
          return yield* readStoredContent(blobs, toBlobName(job, index), { ...stored, range })
        }
        const capability = upstream.findCapability(assignment)
        if (capability === undefined) return yield* new ContentGone()
        return yield* Effect.mapError(
          upstream.call({ account, assignment }, (at) =>
            capability.getContent({ ...at, ...output, ...omitUndefined({ range }) })
          ),
          (failure) => toContentFailure(failure, assignment)
        )
      })
    }
  })
).pipe(
  Layer.provide([
    VideoFinalizer.layer,
    VideoRejectionRecorder.layer,
    VideoReservations.layer,
    VideoUpstream.layer
  ])
)

const encoder = new TextEncoder()

/** A provider may have accepted the job, and the outcome is not known yet. */
const isSubmitting = ({ assignment, submittingTo }: VideoJob): boolean =>
  assignment === undefined && submittingTo !== undefined

const failInvalid = (field: string, problem: string) =>
  Effect.fail(new InvalidRequest({ path: [field], problem }))

/** The API of videos has no 409, so a reused key is an invalid request. */
const requireSameRequest = (job: VideoJob, fingerprint: string | undefined) =>
  job.idempotency?.fingerprint === fingerprint
    ? Effect.succeed(job)
    : failInvalid("idempotency-key", "was used for another request")

const toContinued = ({
  maxUsage: { resolution, seconds, videos }
}: VideoAssignment): NonNullable<VideoJob["continued"]> =>
  omitUndefined({ resolution, seconds: seconds && seconds / videos })

/** The candidates that may get the job, now or after they recover. */
const getCandidates = ({
  health,
  models,
  plan
}: PlannedRoute): Effect.Effect<ReadonlyArray<Candidate>, NoEndpoints | AllRateLimited> => {
  const { ordered, rejected } = plan
  if (ordered.length === 0) return Effect.fail(new NoEndpoints({ models, rejected }))
  const retryAfterMillis = findRateLimitDelay(plan, health)
  if (retryAfterMillis !== undefined) {
    return Effect.fail(new AllRateLimited({ models, retryAfterMillis }))
  }
  const unhealthy = rejected.filter(({ reasons }) =>
    reasons.every(({ source }) => source === "health")
  )
  return Effect.succeed([...ordered, ...unhealthy.map(({ candidate }) => candidate)])
}

/**
 * Milliseconds until the last candidate may be called, when rate limits alone reject all of them. Undefined when
 * a candidate is available, or a breaker is open for another reason.
 */
const findRateLimitDelay = (
  { lastResort, rejected }: Plan,
  { at, endpoints }: HealthSnapshot
): number | undefined => {
  if (lastResort === undefined) return undefined
  const isOpen = rejected.some(({ reasons }) => reasons.every(({ rule }) => rule === "breaker"))
  const breaker = (endpoints[lastResort.id] ?? endpoints[lastResort.endpoint.id])?.breaker
  return isOpen || breaker?.state !== "backing_off" ? undefined : Math.max(0, breaker.until - at)
}

const toContentFailure = (
  { status }: UpstreamFailure,
  { providerName }: Pick<VideoAssignment, "providerName">
): ContentGone | ContentUnavailable | RangeNotSatisfiable => {
  if (status === 404 || status === 410) return new ContentGone()
  return status === 416
    ? new RangeNotSatisfiable({ total: undefined })
    : new ContentUnavailable({ provider: providerName })
}
