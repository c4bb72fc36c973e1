/** Accepts, lists and cancels video jobs, and serves their files. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { RouteObserver, PlannedRoute, PlanReplay } from "../../routing/RouteQuery.ts"
import type { ModelNotFound, WrongOperation } from "../../routing/RoutingErrors.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { ByteRange, VideoContent } from "../../engine/upstreams/VideoReport.ts"
import type { Actor } from "../../values/Actor.ts"
import type { OffsetRequest, OffsetPage } from "../../values/pages/OffsetPage.ts"
import type { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { WorkspaceId } from "../../values/ids/Ids.ts"
import type { BlobFailed } from "../../instance/BlobStore.ts"
import type { ParsedVideoRequest } from "./request/parseVideoRequest.ts"
import type { VideoRejection } from "./submit/VideoRejectionRecorder.ts"
import type {
  ContentGone,
  ContentUnavailable,
  NotCompleted,
  RangeNotSatisfiable
} from "./VideoStatus.ts"
import type { VideoJob } from "./VideoJob.ts"
import type { VideoFilter } from "./VideoStore.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"

/** Why a job is not accepted. */
export type SubmitError = NotPermitted | InvalidRequest | ResourceNotFound | VideoRejection

/** Why a file of a job cannot be served. */
export type ContentError =
  | ResourceNotFound
  | NotCompleted
  | ContentGone
  | RangeNotSatisfiable
  | ContentUnavailable
  | BlobFailed

/** How a job is submitted, apart from the request. */
export interface Submission {
  /** The path the host has mounted the instance at. */
  readonly mount: string
  /** The `Idempotency-Key`, 1..255 characters: with the same key and request there is one job. */
  readonly idempotencyKey?: string | undefined
}

/** The actor, and the jobs it sees. */
export interface VideoOwner extends Actor {
  /** Default: every workspace of the account. */
  readonly workspace?: WorkspaceId
}

/** A file of a job, and the part of it to read. */
export interface ContentRequest {
  /** Index of the file, from 0. */
  readonly index: number
  readonly range?: ByteRange | undefined
}

/** Video jobs and their files. */
export class Videos extends Context.Service<
  Videos,
  {
    /**
     * Accepts a job: the job is stored and its cost reserved before this succeeds. A repeated idempotency key
     * returns the existing job. `observer` is called with the plan.
     */
    readonly submit: (
      caller: Caller,
      parsed: ParsedVideoRequest,
      submission: Submission,
      observer?: RouteObserver
    ) => Effect.Effect<VideoJob, SubmitError>
    /** Plans without submitting. `ResourceNotFound` is about the job the request continues. */
    readonly plan: (
      caller: Caller,
      parsed: ParsedVideoRequest,
      replay?: PlanReplay
    ) => Effect.Effect<
      PlannedRoute,
      InvalidRequest | ResourceNotFound | ModelNotFound | WrongOperation
    >
    /** A job of another owner is not found. */
    readonly get: (owner: VideoOwner, id: string) => Effect.Effect<VideoJob, ResourceNotFound>
    /** The account's jobs, the latest first; `workspace` is an id or a slug. */
    readonly list: (
      actor: Actor,
      filter: VideoFilter,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<VideoJob>, ResourceNotFound>
    /**
     * Stops a job; an ended job is returned unchanged. When the provider cannot be stopped, the caller is charged. A
     * job that is being submitted is returned unchanged, and ends when the outcome of the submit is known.
     */
    readonly cancel: (owner: VideoOwner, id: string) => Effect.Effect<VideoJob, ResourceNotFound>
    /** A file of a completed job; closing the scope closes the connection. */
    readonly getContent: (
      owner: VideoOwner,
      id: string,
      wanted: ContentRequest
    ) => Effect.Effect<VideoContent<UpstreamFailure | BlobFailed>, ContentError, Scope.Scope>
  }
>()("@signalbox/core/domains/videos/Videos") {
  static readonly layer = layerOnDemand(
    Videos,
    {
      submit: "call",
      plan: "call",
      get: "call",
      list: "call",
      cancel: "call",
      getContent: "call"
    },
    importNamed(() => import("./layerVideos.ts"), "layerVideos")
  )
}
