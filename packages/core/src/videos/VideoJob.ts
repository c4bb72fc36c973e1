/** A video job: one row, from its acceptance until it is purged. */
import type { Caller } from "../auth/Caller.ts"
import type { Generation, GenerationAttempt } from "../observability/Generation.ts"
import type { VideoOutput } from "../upstreams/VideoReport.ts"
import type { AccountId } from "../values/ids/AccountId.ts"
import type { KeyHash } from "../values/ids/KeyHash.ts"
import type { UserId } from "../values/ids/UserId.ts"
import type { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import type { Dimensions } from "./request/resolveDimensions.ts"
import type { VideoJobId } from "./VideoJobId.ts"
import type { BillableUsage, Skus } from "./pricing/priceVideo.ts"
import type { VideoRequest } from "./request/VideoRequest.ts"
import type { VideoStatus } from "./VideoStatus.ts"

/** Plain JSON without secrets. Times are milliseconds since the epoch. */
export interface VideoJob {
  readonly id: VideoJobId
  /** Optimistic-lock version; stale writes are rejected. */
  readonly version: number
  readonly account: AccountId
  readonly workspace: WorkspaceId
  readonly kind: Caller["kind"]
  readonly keyHash?: KeyHash
  readonly user?: UserId
  /** The path the instance was mounted at when the job was submitted. */
  readonly mount: string
  /** The id of the resolved model. */
  readonly model: string
  /**
   * Inline media is removed once a provider has accepted the job; prompt, media and provider options are removed
   * when the job ends.
   */
  readonly request: VideoRequest
  /** Size of the request in UTF-8 bytes. */
  readonly bytes: number
  readonly dimensions: Dimensions
  readonly status: VideoStatus
  readonly createdAt: number
  /** When the job expires. */
  readonly deadlineAt: number
  /** The ids of the planned candidates; the job is submitted to no others. */
  readonly candidates: ReadonlyArray<string>
  /** Absent after the end, when the generation has it. */
  readonly plan?: VideoPlan
  /** The upstream id of the job that this one continues. */
  readonly continues?: string
  /** Checked by `parseCallbackUrl`. */
  readonly callbackUrl?: string
  /** Hashes of the `Idempotency-Key`, unique among all jobs, and of the request. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string }
  /** Reservations of its cost, and when they expire. */
  readonly reservations: ReadonlyArray<VideoReservation>
  readonly reservedUntil: number
  /** The id of the candidate that may have accepted the job: the outcome of the submit is not known yet. */
  readonly submittingTo?: string
  /** The candidate does not support idempotency keys and was called twice; there is no third submit. */
  readonly submittedTwice?: true
  /** Cancelled during a submit; the job ends when the outcome of the submit is known. */
  readonly cancelRequested?: true
  /** Submit attempts in order. */
  readonly attempts: ReadonlyArray<VideoAttempt>
  /** Where the job runs; absent until a candidate accepts it. */
  readonly assignment?: VideoAssignment
  /** When the worker processes the job next; after the end, when its stored files are deleted. */
  readonly dueAt?: number
  /** Bytes of its files that are stored or reserved; counted against the limit of the account. */
  readonly contentBytes?: number
  /** Answered polls, and consecutive failed polls since. */
  readonly polls: number
  readonly failedPolls: number
  readonly end?: VideoEnd
}

/** A reservation of the cost of a job. */
export interface VideoReservation {
  readonly reservation: string
  /** Whether its limits count BYOK spend. */
  readonly countsByok: boolean
}

/** The plan of a job. */
export type VideoPlan = Required<
  Pick<Generation, "configuration" | "strategy" | "rejected" | "demoted">
>

/** One attempt to submit a job. */
export type VideoAttempt = Omit<GenerationAttempt, "cost" | "upstreamCost" | "usage">

/** Where a job runs. */
export interface VideoAssignment {
  readonly candidate: string
  readonly endpoint: string
  /** The slug of the upstream, and its display name. */
  readonly provider: string
  readonly providerName: string
  /** The id of the customer's credential; absent when the host's credential is used. */
  readonly credential?: string
  /** The upstream's id of the job. */
  readonly upstreamId: string
  /** What the cost is computed from: the prices at acceptance, and the maximum usage. */
  readonly skus: Skus
  readonly maxUsage: BillableUsage
}

/** How a job ended. */
export interface VideoEnd {
  readonly at: number
  /** When its files expire. */
  readonly contentUntil: number
  readonly outputs: ReadonlyArray<VideoOutput>
  /** The outputs in the blob store. */
  readonly storedFiles?: ReadonlyArray<{ readonly index: number; readonly contentType: string }>
  /** Why the files were not copied to the blob store. */
  readonly notStoredReason?: string
  /** Nano-USD as an integer string; absent when unknown. */
  readonly cost?: string
  /** Why the job has no video; shown to the caller. */
  readonly error?: string
}
