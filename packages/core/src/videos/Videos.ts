/** Takes video jobs, tells how they stand, stops them, and hands out what they made. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { Atomically } from "../Atomically.ts"
import type { NotPermitted } from "../auth/AuthErrors.ts"
import type { Caller } from "../auth/Caller.ts"
import { mayRunModels } from "../auth/mayRunModels.ts"
import type { Credentials } from "../byok/Credentials.ts"
import { Catalog } from "../catalog/Catalog.ts"
import { isVideoModel } from "../catalog/isVideoModel.ts"
import type { Model } from "../catalog/Model.ts"
import * as VideoCapabilities from "../catalog/VideoCapabilities.ts"
import { DurableJobs } from "../jobs/DurableJobs.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import { within } from "../ledger/Limit.ts"
import { SpendCounters } from "../ledger/SpendCounters.ts"
import { Audit } from "../observability/Audit.ts"
import type { Generations } from "../observability/Generations.ts"
import { withTrace } from "../observability/withTrace.ts"
import type { OutboundHttp } from "../outbound/OutboundHttp.ts"
import type { Candidate } from "../routing/Candidate.ts"
import type { Observer, Planned, Query, Replay } from "../routing/Query.ts"
import { Routing } from "../routing/Routing.ts"
import { ModelNotFound, NoEndpoints, WrongOperation } from "../routing/RoutingErrors.ts"
import { Settings } from "../Settings.ts"
import { logDefect } from "../upstreams/containUpstream.ts"
import type { UpstreamDefect } from "../upstreams/UpstreamDefect.ts"
import type { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import type { VideoCapability } from "../upstreams/VideoCapability.ts"
import type { ByteRange, VideoContent } from "../upstreams/VideoContent.ts"
import type { Actor } from "../values/Actor.ts"
import { callbackUrl } from "../values/callbackUrl.ts"
import type { Page, Paged } from "../values/Page.ts"
import { InvalidRequest, Missing } from "../values/RequestErrors.ts"
import type { WorkspaceId } from "../values/WorkspaceId.ts"
import type { Deliveries } from "../webhooks/Deliveries.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { type BlobFailed, Blobs } from "./BlobStore.ts"
import { checkVideoRequest } from "./checkVideoRequest.ts"
import { contentFailure } from "./contentFailure.ts"
import { cancelled, ending } from "./ending.ts"
import { holding } from "./holding.ts"
import { blobName } from "./keeping.ts"
import { keptContent } from "./keptContent.ts"
import type { ParsedVideo } from "./parseVideoRequest.ts"
import { plannedOf } from "./plannedOf.ts"
import { queryOf } from "./queryOf.ts"
import { rateLimitOf } from "./rateLimitOf.ts"
import { reaching } from "./reaching.ts"
import { recordingRefused, type Refused } from "./recordingRefused.ts"
import { submitKind, submitStep } from "./submitKind.ts"
import type { Wanted } from "./videoCall.ts"
import {
  AllRateLimited,
  ContentGone,
  type ContentUnavailable,
  type NoSuchStretch,
  NotCompleted
} from "./VideoErrors.ts"
import type { VideoJob } from "./VideoJob.ts"
import * as VideoJobId from "./VideoJobId.ts"
import { type VideoFilter, VideoStore } from "./VideoStore.ts"

/** Why a job is not accepted. */
export type SubmitError = NotPermitted | InvalidRequest | Missing | Refused

/** Why a file of a job is not to be had. */
export type ContentError =
  | Missing
  | NotCompleted
  | ContentGone
  | NoSuchStretch
  | ContentUnavailable
  | BlobFailed

/** How a job is submitted, beside what is asked. */
export interface Submission {
  /** Where the host has mounted us. */
  readonly mount: string
  /** The `Idempotency-Key`, 1..255 characters: with the same key and request there is one job. */
  readonly repeatKey?: string | undefined
}

/** Who looks, and at whose jobs. */
export interface VideoOwner extends Actor {
  /** Absent: all of the account's. */
  readonly workspace?: WorkspaceId
}

/** Which file of a job is wanted, and which part of it. */
export interface ContentWanted {
  /** Which of the files, from 0. */
  readonly index: number
  readonly range?: ByteRange | undefined
}

/** Accepts video jobs, tells how they stand, and hands out their files. */
export class Videos extends Context.Service<
  Videos,
  {
    /** Whether the caller may ask at all. */
    readonly permit: (caller: Caller) => Effect.Effect<void, NotPermitted>
    /**
     * Accepts a job: it is kept, and its money set aside, before this succeeds. A repetition is told of the
     * job as it stands now. `observer` hears how it is planned, whoever is asked afterwards.
     */
    readonly submit: (
      caller: Caller,
      parsed: ParsedVideo,
      submission: Submission,
      observer?: Observer
    ) => Effect.Effect<VideoJob, SubmitError>
    /** The plan it would get, without asking anybody or keeping a job; what is missing is the job it continues. */
    readonly plan: (
      caller: Caller,
      parsed: ParsedVideo,
      replay?: Replay
    ) => Effect.Effect<Planned, InvalidRequest | Missing | ModelNotFound | WrongOperation>
    /** What is not the owner's is as if it were not there. */
    readonly find: (owner: VideoOwner, id: string) => Effect.Effect<VideoJob, Missing>
    /** Of an account, the latest first; `workspace` is an id or a slug. */
    readonly list: (
      actor: Actor,
      filter: VideoFilter,
      page: Page
    ) => Effect.Effect<Paged<VideoJob>, Missing>
    /**
     * Stops a job that is not over; one that is stays as it is. A provider that cannot be stopped may charge
     * for it, and so is the caller. One that is being submitted is told of as it stands, and ends as soon as
     * it is known who has it.
     */
    readonly cancel: (owner: VideoOwner, id: string) => Effect.Effect<VideoJob, Missing>
    /** One file of a completed job; the connection is closed with the scope. */
    readonly content: (
      owner: VideoOwner,
      id: string,
      wanted: ContentWanted
    ) => Effect.Effect<VideoContent<UpstreamFailure | BlobFailed>, ContentError, Scope.Scope>
  }
>()("@signalbox/core/videos/Videos") {
  static readonly layer: Layer.Layer<
    Videos,
    never,
    | Atomically
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
      const { atomically } = yield* Atomically
      const audit = yield* Audit
      const blobs = yield* Blobs
      const catalog = yield* Catalog
      const counters = yield* SpendCounters
      const digest = yield* Digest.Digest
      const end = yield* ending
      const jobs = yield* DurableJobs
      const kind = yield* submitKind
      const money = yield* holding
      const reach = yield* reaching
      const recordRefused = yield* recordingRefused
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
          ? yield* new Missing({ what: "video", id })
          : found
      })

      /** What the key comes to for this caller: nobody meets the job of somebody else by it. */
      const repeatOf = Effect.fnUntraced(function* (
        { account, keyHash, user, workspace }: Caller,
        { request }: ParsedVideo,
        { repeatKey }: Submission
      ) {
        if (repeatKey === undefined) return undefined
        return {
          key: yield* hash([account, workspace, keyHash, user, repeatKey]),
          fingerprint: yield* hash(request)
        }
      })

      /** The job that a new one continues, on its model. */
      const continued = Effect.fnUntraced(function* (
        { account, workspace }: Caller,
        { previous_job_id: id }: ParsedVideo["request"],
        model: Model
      ) {
        if (id === undefined) return undefined
        const { model: made, place, status } = yield* find({ account, workspace }, id)
        if (status !== "completed" || place === undefined) {
          return yield* invalid("previous_job_id", `that job is ${status}, not completed`)
        }
        if (made !== model.id) {
          return yield* invalid("model", `that job was made by ${made}, which must continue it`)
        }
        const isContinued =
          model.video?.supports_continuation ?? reach.capabilityOf(place)?.continuesVideos
        if (isContinued !== true) {
          return yield* invalid("previous_job_id", `${model.id} does not continue videos`)
        }
        return place
      })

      /** What a request comes to, once its model can make it. */
      const asking = Effect.fnUntraced(function* (caller: Caller, { request }: ParsedVideo) {
        const configuration = catalog.current()
        const resolved = configuration.resolve(request.model)
        if (resolved === undefined) return yield* new ModelNotFound({ model: request.model })
        const { model } = resolved
        if (!isVideoModel(model)) {
          return yield* new WrongOperation({ model: model.id, operation: "videos" })
        }
        const dimensions = yield* Effect.fromResult(
          checkVideoRequest(request, {
            capabilities: model.video ?? VideoCapabilities.unknown,
            inputs: model.card.architecture.input_modalities
          })
        )
        const callback =
          request.callback_url === undefined
            ? undefined
            : callbackUrl(request.callback_url, settings)
        if (callback !== undefined && Result.isFailure(callback)) {
          return yield* invalid("callback_url", callback.failure)
        }
        const previous = yield* continued(caller, request, model)
        const wanted: Wanted = {
          id: yield* VideoJobId.next,
          request,
          dimensions,
          ...(previous === undefined ? undefined : { continues: previous.upstreamId })
        }
        const defects: Array<UpstreamDefect> = []
        const query: Query<VideoCapability> = {
          ...queryOf(caller, wanted, model, configuration, (defect) => defects.push(defect)),
          ...(previous === undefined ? undefined : { pin: previous.candidate })
        }
        return { callback: callback?.success, defects, model, query, wanted }
      })

      const submit = Effect.fnUntraced(function* (
        caller: Caller,
        parsed: ParsedVideo,
        submission: Submission,
        listener: Observer | undefined
      ): Effect.fn.Return<VideoJob, SubmitError> {
        yield* mayRunModels(caller)
        const startedAt = yield* Clock.currentTimeMillis
        let planned: Planned | undefined
        const heard = (made: Planned) => {
          planned = made
          listener?.planned(made)
        }
        return yield* Effect.tapErrorTag(
          taking(caller, parsed, submission, heard),
          [
            "ModelNotFound",
            "WrongOperation",
            "NoEndpoints",
            "AllRateLimited",
            "TooManyUnfinished",
            "LimitExceeded"
          ],
          (error) => recordRefused({ caller, listener, parsed, planned, startedAt }, error)
        )
      })

      const taking = Effect.fnUntraced(function* (
        caller: Caller,
        parsed: ParsedVideo,
        submission: Submission,
        heard: (planned: Planned) => void
      ): Effect.fn.Return<VideoJob, Exclude<SubmitError, NotPermitted>> {
        const repeat = yield* repeatOf(caller, parsed, submission)
        const before = repeat === undefined ? undefined : yield* store.findRepeated(repeat.key)
        if (before !== undefined) return yield* sameAs(before, repeat?.fingerprint)
        const { callback, defects, model, query, wanted } = yield* asking(caller, parsed)
        const planned = yield* routing.plan(query)
        yield* Effect.forEach(defects, logDefect, { discard: true })
        heard(planned)
        const candidates = yield* candidatesIn(planned)
        const now = yield* Clock.currentTimeMillis
        const job: VideoJob = {
          ...wanted,
          turn: 1,
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
          deadlineAt: now + settings.videoDeadlineMillis,
          candidates: candidates.map(({ id }) => id),
          plan: plannedOf(planned),
          ...(callback === undefined ? undefined : { callbackUrl: callback }),
          ...(repeat === undefined ? undefined : { repeat }),
          held: [],
          heldUntil: now + settings.videoLeaseMillis,
          attempts: [],
          dueAt: now + settings.videoDeadlineMillis,
          polls: 0,
          unanswered: 0
        }
        // A limit that is met first counts what was spent before, and a transaction sees what is written.
        if (planned.limits.length > 0) yield* counters.written()
        const kept = yield* atomically(accept(job, planned, candidates))
        return yield* sameAs(kept, repeat?.fingerprint)
      })

      const accept = Effect.fnUntraced(function* (
        job: VideoJob,
        { limits }: Planned,
        candidates: ReadonlyArray<Candidate>
      ) {
        const kept = yield* store.add(job, settings.videoJobsUnderWay)
        if (kept.id !== job.id) return kept
        const held = yield* money.hold(
          job.account,
          limits.map((limit) => within(job.createdAt, limit)),
          candidates,
          settings.videoLeaseMillis
        )
        const accepted = held.length === 0 ? job : { ...job, turn: job.turn + 1, held }
        if (accepted !== job) yield* store.replace(job.turn, accepted)
        yield* jobs.offer(kind, submitStep(job.id))
        return accepted
      })

      const cancel = (owner: VideoOwner, id: string): Effect.Effect<VideoJob, Missing> =>
        Effect.flatMap(find(owner, id), (job) => {
          if (job.end !== undefined || job.cancelWanted) return Effect.succeed(job)
          return isAsked(job)
            ? cancelSubmitted(owner, job)
            : Effect.flatMap(reach.stop(job), (isStopped) => cancelAt(owner, job, isStopped))
        })

      /**
       * Somebody may have it by now, and charge for it: whoever submits it learns that, and ends it with what
       * is owed.
       */
      const cancelSubmitted = (owner: VideoOwner, job: VideoJob) => {
        const wanted: VideoJob = { ...job, turn: job.turn + 1, cancelWanted: true }
        return Effect.flatMap(
          audit.change(
            owner,
            "video.cancel",
            Effect.map(store.replace(job.turn, wanted), (isKept) => ({
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
      const cancelAt = (
        owner: VideoOwner,
        { id, place }: VideoJob,
        isStopped: boolean
      ): Effect.Effect<VideoJob, Missing> =>
        Effect.flatMap(find(owner, id), (job) => {
          if (job.end !== undefined) return Effect.succeed(job)
          // Somebody asks for it, or has accepted it, meanwhile.
          if (job.place?.upstreamId !== place?.upstreamId || isAsked(job)) return cancel(owner, id)
          return Effect.flatMap(cancelOnce(owner, job, isStopped), (ended) =>
            // Somebody wrote to it meanwhile: it may even be over.
            ended === undefined ? cancelAt(owner, job, isStopped) : Effect.succeed(ended)
          )
        })

      const cancelOnce = (actor: Actor, job: VideoJob, isStopped: boolean) =>
        audit.change(
          actor,
          "video.cancel",
          Effect.map(end(job, cancelled(isStopped)), (result) => ({
            result,
            target: result?.id,
            before: { status: job.status },
            after: { status: result?.status }
          }))
        )

      return {
        permit: mayRunModels,
        submit: (caller, parsed, submission, observer) =>
          withTrace(submit(caller, parsed, submission, observer), parsed.request.trace, "video"),
        plan: (caller, parsed, replay) =>
          Effect.flatMap(asking(caller, parsed), ({ query }) => routing.plan(query, replay)),
        find,
        list: Effect.fnUntraced(function* (actor, { workspace, ...filter }, page) {
          const of =
            workspace === undefined
              ? filter
              : { ...filter, workspace: (yield* workspaces.find(actor, workspace)).id }
          return yield* store.list(actor.account, of, page)
        }),
        cancel,
        content: Effect.fnUntraced(function* (owner, id, { index, range }) {
          const { account, end: ended, id: job, place, status } = yield* find(owner, id)
          if (status !== "completed") return yield* new NotCompleted({ status })
          const output = ended?.outputs.find((each) => each.index === index)
          if (ended === undefined || place === undefined || output === undefined) {
            return yield* new Missing({ what: "file of this video", id: String(index) })
          }
          if (ended.contentUntil <= (yield* Clock.currentTimeMillis))
            return yield* new ContentGone()
          const kept = ended.kept?.find((each) => each.index === index)
          if (blobs !== undefined && kept !== undefined) {
            return yield* keptContent(blobs, blobName(job, index), { ...kept, range })
          }
          const capability = reach.capabilityOf(place)
          if (capability === undefined) return yield* new ContentGone()
          return yield* Effect.mapError(
            reach.at({ account, place }, (at) =>
              capability.content({
                ...at,
                ...output,
                ...(range === undefined ? undefined : { range })
              })
            ),
            (failure) => contentFailure(failure, place)
          )
        })
      }
    })
  )
}

const encoder = new TextEncoder()

/** A provider may have it, and nobody knows yet. */
const isAsked = ({ place, submittingTo }: VideoJob): boolean =>
  place === undefined && submittingTo !== undefined

const invalid = (field: string, problem: string) =>
  Effect.fail(new InvalidRequest({ path: [field], problem }))

/** The wire has no conflict here: a key that was used for something else is a mistake of the request. */
const sameAs = (kept: VideoJob, fingerprint: string | undefined) =>
  kept.repeat?.fingerprint === fingerprint
    ? Effect.succeed(kept)
    : invalid("idempotency-key", "was used for another request")

/** Who may get it, now or once they are well again. */
const candidatesIn = ({
  health,
  models,
  plan
}: Planned): Effect.Effect<ReadonlyArray<Candidate>, NoEndpoints | AllRateLimited> => {
  const { ordered, rejected } = plan
  if (ordered.length === 0) return Effect.fail(new NoEndpoints({ models, rejected }))
  const retryAfterMillis = rateLimitOf(plan, health)
  if (retryAfterMillis !== undefined) {
    return Effect.fail(new AllRateLimited({ models, retryAfterMillis }))
  }
  const unwell = rejected.filter(({ reasons }) =>
    reasons.every(({ source }) => source === "health")
  )
  return Effect.succeed([...ordered, ...unwell.map(({ candidate }) => candidate)])
}
