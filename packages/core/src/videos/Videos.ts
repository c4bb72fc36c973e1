/** Takes video jobs, tells how they stand, stops them, and hands out what they made. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { Transaction } from "../Transaction.ts"
import type { NotPermitted } from "../auth/AuthErrors.ts"
import type { Caller } from "../auth/Caller.ts"
import { requireModelAccess } from "../auth/requireModelAccess.ts"
import type { Credentials } from "../byok/Credentials.ts"
import { Catalog } from "../catalog/Catalog.ts"
import { isVideoModel } from "../catalog/isVideoModel.ts"
import type { Model } from "../catalog/Model.ts"
import * as VideoCapabilities from "../catalog/VideoCapabilities.ts"
import { DurableJobs } from "../jobs/DurableJobs.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import { refreshLimit } from "../ledger/Limit.ts"
import { SpendCounters } from "../ledger/SpendCounters.ts"
import { Audit } from "../observability/Audit.ts"
import type { Generations } from "../observability/Generations.ts"
import { withTrace } from "../observability/withTrace.ts"
import type { OutboundHttp } from "../outbound/OutboundHttp.ts"
import type { Candidate } from "../routing/Candidate.ts"
import type { RouteObserver, PlannedRoute, RouteQuery, PlanReplay } from "../routing/RouteQuery.ts"
import { Routing } from "../routing/Routing.ts"
import { ModelNotFound, NoEndpoints, WrongOperation } from "../routing/RoutingErrors.ts"
import { Settings } from "../Settings.ts"
import { logDefect } from "../upstreams/containUpstream.ts"
import type { UpstreamDefect } from "../upstreams/failures/UpstreamDefect.ts"
import type { UpstreamFailure } from "../upstreams/failures/UpstreamFailure.ts"
import type { VideoCapability } from "../upstreams/VideoCapability.ts"
import type { ByteRange, VideoContent } from "../upstreams/VideoContent.ts"
import type { Actor } from "../values/Actor.ts"
import { parseCallbackUrl } from "../values/network/parseCallbackUrl.ts"
import type { OffsetRequest, OffsetPage } from "../values/pages/OffsetPage.ts"
import { InvalidRequest, ResourceNotFound } from "../values/errors/RequestErrors.ts"
import type { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import type { Deliveries } from "../webhooks/Deliveries.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { type BlobFailed, OptionalBlobStore } from "./content/BlobStore.ts"
import { checkVideoRequest } from "./request/checkVideoRequest.ts"
import { toContentFailure } from "./content/toContentFailure.ts"
import { toCancelledOutcome, makeVideoFinalizer } from "./finalize/VideoFinalizer.ts"
import { makeVideoReservations } from "./pricing/VideoReservations.ts"
import { toBlobName } from "./content/VideoContentArchive.ts"
import { readStoredContent } from "./content/readStoredContent.ts"
import type { ParsedVideoRequest } from "./request/parseVideoRequest.ts"
import { toVideoPlan } from "./submit/toVideoPlan.ts"
import { toRoutingQuery } from "./submit/toRoutingQuery.ts"
import { findRateLimitDelay } from "./submit/findRateLimitDelay.ts"
import { makeVideoUpstream } from "./poll/VideoUpstream.ts"
import { makeVideoRejectionRecorder, type VideoRejection } from "./submit/VideoRejectionRecorder.ts"
import { makeSubmitJobKind, toSubmitStep } from "./submit/submitJobKind.ts"
import type { VideoCallInput } from "./submit/toVideoCall.ts"
import {
  AllRateLimited,
  ContentGone,
  type ContentUnavailable,
  type RangeNotSatisfiable,
  NotCompleted
} from "./VideoErrors.ts"
import type { VideoJob } from "./VideoJob.ts"
import * as VideoJobId from "./VideoJobId.ts"
import { type VideoFilter, VideoStore } from "./VideoStore.ts"

/** Why a job is not accepted. */
export type SubmitError = NotPermitted | InvalidRequest | ResourceNotFound | VideoRejection

/** Why a file of a job is not to be had. */
export type ContentError =
  | ResourceNotFound
  | NotCompleted
  | ContentGone
  | RangeNotSatisfiable
  | ContentUnavailable
  | BlobFailed

/** How a job is submitted, beside what is asked. */
export interface Submission {
  /** Where the host has mounted us. */
  readonly mount: string
  /** The `Idempotency-Key`, 1..255 characters: with the same key and request there is one job. */
  readonly idempotencyKey?: string | undefined
}

/** Who looks, and at whose jobs. */
export interface VideoOwner extends Actor {
  /** Absent: all of the account's. */
  readonly workspace?: WorkspaceId
}

/** Which file of a job is wanted, and which part of it. */
export interface ContentRequest {
  /** Which of the files, from 0. */
  readonly index: number
  readonly range?: ByteRange | undefined
}

/** Accepts video jobs, tells how they stand, and hands out their files. */
export class Videos extends Context.Service<
  Videos,
  {
    /** Whether the caller may ask at all. */
    readonly requirePermission: (caller: Caller) => Effect.Effect<void, NotPermitted>
    /**
     * Accepts a job: it is kept, and its money set aside, before this succeeds. A repetition is told of the
     * job as it stands now. `observer` hears how it is planned, whoever is asked afterwards.
     */
    readonly submit: (
      caller: Caller,
      parsed: ParsedVideoRequest,
      submission: Submission,
      observer?: RouteObserver
    ) => Effect.Effect<VideoJob, SubmitError>
    /** The plan it would get, without asking anybody or keeping a job; what is missing is the job it continues. */
    readonly plan: (
      caller: Caller,
      parsed: ParsedVideoRequest,
      replay?: PlanReplay
    ) => Effect.Effect<
      PlannedRoute,
      InvalidRequest | ResourceNotFound | ModelNotFound | WrongOperation
    >
    /** What is not the owner's is as if it were not there. */
    readonly get: (owner: VideoOwner, id: string) => Effect.Effect<VideoJob, ResourceNotFound>
    /** Of an account, the latest first; `workspace` is an id or a slug. */
    readonly list: (
      actor: Actor,
      filter: VideoFilter,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<VideoJob>, ResourceNotFound>
    /**
     * Stops a job that is not over; one that is stays as it is. A provider that cannot be stopped may charge
     * for it, and so is the caller. One that is being submitted is told of as it stands, and ends as soon as
     * it is known who has it.
     */
    readonly cancel: (owner: VideoOwner, id: string) => Effect.Effect<VideoJob, ResourceNotFound>
    /** One file of a completed job; the connection is closed with the scope. */
    readonly getContent: (
      owner: VideoOwner,
      id: string,
      wanted: ContentRequest
    ) => Effect.Effect<VideoContent<UpstreamFailure | BlobFailed>, ContentError, Scope.Scope>
  }
>()("@signalbox/core/videos/Videos") {
  static readonly layer: Layer.Layer<
    Videos,
    never,
    | Transaction
    | Audit
    | Catalog
    | Credentials
    | Deliveries
    | Digest.Digest
    | DurableJobs
    | Generations
    | HttpClient.HttpClient
    | Ledger
    | OutboundHttp
    | Routing
    | SpendCounters
    | VideoStore
    | Workspaces
  > = Layer.effect(
    Videos,
    Effect.gen(function* () {
      const { withTransaction } = yield* Transaction
      const audit = yield* Audit
      const blobs = yield* OptionalBlobStore
      const catalog = yield* Catalog
      const counters = yield* SpendCounters
      const digest = yield* Digest.Digest
      const end = yield* makeVideoFinalizer
      const jobs = yield* DurableJobs
      const kind = yield* makeSubmitJobKind
      const reservations = yield* makeVideoReservations
      const reach = yield* makeVideoUpstream
      const recordRefused = yield* makeVideoRejectionRecorder
      const routing = yield* Routing
      const settings = yield* Settings
      const store = yield* VideoStore
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

      /** What the key comes to for this caller: nobody meets the job of somebody else by it. */
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

      /** The job that a new one continues, on its model. */
      const getPreviousAssignment = Effect.fnUntraced(function* (
        { account, workspace }: Caller,
        { previous_job_id: id }: ParsedVideoRequest["request"],
        model: Model
      ) {
        if (id === undefined) return undefined
        const { model: made, assignment, status } = yield* find({ account, workspace }, id)
        if (status !== "completed" || assignment === undefined) {
          return yield* failInvalid("previous_job_id", `that job is ${status}, not completed`)
        }
        if (made !== model.id) {
          return yield* failInvalid("model", `that job was made by ${made}, which must continue it`)
        }
        const isContinued =
          model.video?.supports_continuation ??
          reach.findCapability(assignment)?.supportsContinuation
        if (isContinued !== true) {
          return yield* failInvalid("previous_job_id", `${model.id} does not continue videos`)
        }
        return assignment
      })

      /** What a request comes to, once its model can make it. */
      const prepareQuery = Effect.fnUntraced(function* (
        caller: Caller,
        { request }: ParsedVideoRequest
      ) {
        const configuration = catalog.current()
        const resolved = configuration.resolve(request.model)
        if (resolved === undefined) return yield* new ModelNotFound({ model: request.model })
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
          ...(previous === undefined ? undefined : { continues: previous.upstreamId })
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
        listener: RouteObserver | undefined
      ): Effect.fn.Return<VideoJob, SubmitError> {
        yield* requireModelAccess(caller)
        const startedAt = yield* Clock.currentTimeMillis
        let planned: PlannedRoute | undefined
        const heard = (made: PlannedRoute) => {
          planned = made
          listener?.onPlan(made)
        }
        return yield* Effect.tapErrorTag(
          planAndAccept(caller, parsed, submission, heard),
          [
            "ModelNotFound",
            "WrongOperation",
            "NoEndpoints",
            "AllRateLimited",
            "TooManyActiveJobs",
            "LimitExceeded"
          ],
          (error) => recordRefused({ caller, listener, parsed, planned, startedAt }, error)
        )
      })

      const planAndAccept = Effect.fnUntraced(function* (
        caller: Caller,
        parsed: ParsedVideoRequest,
        submission: Submission,
        heard: (planned: PlannedRoute) => void
      ): Effect.fn.Return<VideoJob, Exclude<SubmitError, NotPermitted>> {
        const idempotency = yield* toIdempotency(caller, parsed, submission)
        const before =
          idempotency === undefined ? undefined : yield* store.findByIdempotencyKey(idempotency.key)
        if (before !== undefined) return yield* requireSameRequest(before, idempotency?.fingerprint)
        const { callback, defects, model, query, wanted } = yield* prepareQuery(caller, parsed)
        const planned = yield* routing.plan(query)
        yield* Effect.forEach(defects, logDefect, { discard: true })
        heard(planned)
        const candidates = yield* getCandidates(planned)
        const now = yield* Clock.currentTimeMillis
        const job: VideoJob = {
          ...wanted,
          version: 1,
          account: caller.account,
          workspace: caller.workspace,
          kind: caller.kind,
          ...(caller.keyHash === undefined ? undefined : { keyHash: caller.keyHash }),
          ...(caller.user === undefined ? undefined : { user: caller.user }),
          mount: submission.mount,
          model: model.id,
          bytes: parsed.bytes,
          status: "pending",
          createdAt: now,
          deadlineAt: now + settings.videoTimeoutMillis,
          candidates: candidates.map(({ id }) => id),
          plan: toVideoPlan(planned),
          ...(callback === undefined ? undefined : { callbackUrl: callback }),
          ...(idempotency === undefined ? undefined : { idempotency }),
          reservations: [],
          reservedUntil: now + settings.videoReservationLeaseMillis,
          attempts: [],
          dueAt: now + settings.videoTimeoutMillis,
          polls: 0,
          failedPolls: 0
        }
        // A limit that is met first counts what was spent before, and a transaction sees what is written.
        if (planned.limits.length > 0) yield* counters.flush()
        const kept = yield* withTransaction(accept(job, planned, candidates))
        return yield* requireSameRequest(kept, idempotency?.fingerprint)
      })

      const accept = Effect.fnUntraced(function* (
        job: VideoJob,
        { limits }: PlannedRoute,
        candidates: ReadonlyArray<Candidate>
      ) {
        const kept = yield* store.add(job, settings.maxActiveVideoJobs)
        if (kept.id !== job.id) return kept
        const held = yield* reservations.reserve(
          job.account,
          limits.map((limit) => refreshLimit(job.createdAt, limit)),
          candidates,
          settings.videoReservationLeaseMillis
        )
        const accepted: VideoJob =
          held.length === 0 ? job : { ...job, version: job.version + 1, reservations: held }
        if (accepted !== job) yield* store.replace(job.version, accepted)
        yield* jobs.offer(kind, toSubmitStep(job.id))
        return accepted
      })

      const cancel = (owner: VideoOwner, id: string): Effect.Effect<VideoJob, ResourceNotFound> =>
        Effect.flatMap(find(owner, id), (job) => {
          if (job.end !== undefined || job.cancelRequested) return Effect.succeed(job)
          return isSubmitting(job)
            ? requestCancel(owner, job)
            : Effect.flatMap(reach.stop(job), (isStopped) =>
                finalizeCancelled(owner, job, isStopped)
              )
        })

      /**
       * Somebody may have it by now, and charge for it: whoever submits it learns that, and ends it with what
       * is owed.
       */
      const requestCancel = (owner: VideoOwner, job: VideoJob) => {
        const wanted: VideoJob = { ...job, version: job.version + 1, cancelRequested: true }
        return Effect.flatMap(
          audit.change(
            owner,
            "video.cancel",
            Effect.map(store.replace(job.version, wanted), (isKept) => ({
              result: isKept,
              target: isKept ? job.id : undefined,
              before: { status: job.status },
              after: { status: job.status, cancel_wanted: true }
            }))
          ),
          (isKept) => (isKept ? Effect.succeed(wanted) : cancel(owner, job.id))
        )
      }

      /** Stopping takes time, in which the job is polled: what is ended is the job as it stands after it. */
      const finalizeCancelled = (
        owner: VideoOwner,
        { id, assignment }: VideoJob,
        isStopped: boolean
      ): Effect.Effect<VideoJob, ResourceNotFound> =>
        Effect.flatMap(find(owner, id), (job) => {
          if (job.end !== undefined) return Effect.succeed(job)
          // Somebody asks for it, or has accepted it, meanwhile.
          if (job.assignment?.upstreamId !== assignment?.upstreamId || isSubmitting(job))
            return cancel(owner, id)
          return Effect.flatMap(tryFinalizeCancelled(owner, job, isStopped), (ended) =>
            // Somebody wrote to it meanwhile: it may even be over.
            ended === undefined ? finalizeCancelled(owner, job, isStopped) : Effect.succeed(ended)
          )
        })

      const tryFinalizeCancelled = (actor: Actor, job: VideoJob, isStopped: boolean) =>
        audit.change(
          actor,
          "video.cancel",
          Effect.map(end(job, toCancelledOutcome(isStopped)), (result) => ({
            result,
            target: result?.id,
            before: { status: job.status },
            after: { status: result?.status }
          }))
        )

      return {
        requirePermission: requireModelAccess,
        submit: (caller, parsed, submission, observer) =>
          withTrace(submit(caller, parsed, submission, observer), parsed.request.trace, "video"),
        plan: (caller, parsed, replay) =>
          Effect.flatMap(prepareQuery(caller, parsed), ({ query }) => routing.plan(query, replay)),
        get: find,
        list: Effect.fnUntraced(function* (actor, { workspace, ...filter }, page) {
          const of =
            workspace === undefined
              ? filter
              : { ...filter, workspace: (yield* workspaces.find(actor, workspace)).id }
          return yield* store.list(actor.account, of, page)
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
          if (ended.contentUntil <= (yield* Clock.currentTimeMillis))
            return yield* new ContentGone()
          const kept = ended.storedFiles?.find((each) => each.index === index)
          if (blobs !== undefined && kept !== undefined) {
            return yield* readStoredContent(blobs, toBlobName(job, index), { ...kept, range })
          }
          const capability = reach.findCapability(assignment)
          if (capability === undefined) return yield* new ContentGone()
          return yield* Effect.mapError(
            reach.call({ account, assignment }, (at) =>
              capability.getContent({
                ...at,
                ...output,
                ...(range === undefined ? undefined : { range })
              })
            ),
            (failure) => toContentFailure(failure, assignment)
          )
        })
      }
    })
  )
}

const encoder = new TextEncoder()

/** A provider may have it, and nobody knows yet. */
const isSubmitting = ({ assignment, submittingTo }: VideoJob): boolean =>
  assignment === undefined && submittingTo !== undefined

const failInvalid = (field: string, problem: string) =>
  Effect.fail(new InvalidRequest({ path: [field], problem }))

/** The wire has no conflict here: a key that was used for something else is a mistake of the request. */
const requireSameRequest = (kept: VideoJob, fingerprint: string | undefined) =>
  kept.idempotency?.fingerprint === fingerprint
    ? Effect.succeed(kept)
    : failInvalid("idempotency-key", "was used for another request")

/** Who may get it, now or once they are well again. */
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
  const unwell = rejected.filter(({ reasons }) =>
    reasons.every(({ source }) => source === "health")
  )
  return Effect.succeed([...ordered, ...unwell.map(({ candidate }) => candidate)])
}
