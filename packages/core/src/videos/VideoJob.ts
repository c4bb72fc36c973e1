/** A video job: one row, from its acceptance until it is forgotten. */
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
  /** Counts what was written to it: whoever read an earlier turn writes nothing. */
  readonly version: number
  readonly account: AccountId
  readonly workspace: WorkspaceId
  readonly kind: Caller["kind"]
  readonly keyHash?: KeyHash
  readonly user?: UserId
  /** Where the host had mounted us when it was submitted. */
  readonly mount: string
  /** The id of the model it was asked of. */
  readonly model: string
  /** Once somebody has accepted it, without the bytes of pictures; once it is over, without prompt, pictures and options of providers. */
  readonly request: VideoRequest
  /** UTF-8 bytes of the request. */
  readonly bytes: number
  readonly dimensions: Dimensions
  readonly status: VideoStatus
  readonly createdAt: number
  /** When it is given up. */
  readonly deadlineAt: number
  /** The ids of the candidates it was planned with: nobody else gets it. */
  readonly candidates: ReadonlyArray<string>
  /** How it was planned, until it is over: its record says it then. */
  readonly plan?: VideoPlan
  /** What the upstream calls the job that this one continues. */
  readonly continues?: string
  /** As `callbackUrl` has checked it. */
  readonly callbackUrl?: string
  /** What `Idempotency-Key` comes to, unique among all jobs, and what the request came to. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string }
  /** Money set aside for it, and when that lapses. */
  readonly reservations: ReadonlyArray<VideoReservation>
  readonly reservedUntil: number
  /** The id of the candidate that may have got it: nobody knows yet what became of the submit. */
  readonly submittingTo?: string
  /** That candidate takes no idempotency keys, and may have got it twice: it is not asked a third time. */
  readonly submittedTwice?: true
  /** Somebody cancelled it while it was being submitted: it ends once it is known what became of that. */
  readonly cancelRequested?: true
  /** Every attempt to submit it, in order. */
  readonly attempts: ReadonlyArray<VideoAttempt>
  /** Who has accepted it. */
  readonly assignment?: VideoAssignment
  /** When somebody is to look after it; once it is over, only while the host keeps files of it. */
  readonly dueAt?: number
  /** Bytes of its files that the host keeps, or has set room aside for; counted against those of its account. */
  readonly contentBytes?: number
  /** Polls that were answered, and those in a row that were not since. */
  readonly polls: number
  readonly failedPolls: number
  readonly end?: VideoEnd
}

/** Money that is set aside for a job. */
export interface VideoReservation {
  readonly reservation: string
  /** Whether it is held under limits that count what runs on customers' own credentials too. */
  readonly countsByok: boolean
}

/** How a job was planned. */
export type VideoPlan = Required<
  Pick<Generation, "configuration" | "strategy" | "rejected" | "demoted">
>

/** One attempt to submit a job. */
export type VideoAttempt = Omit<GenerationAttempt, "cost" | "upstreamCost" | "usage">

/** Where a job runs. */
export interface VideoAssignment {
  /** The id of the candidate. */
  readonly candidate: string
  readonly endpoint: string
  /** The slug of the upstream, and what it is called. */
  readonly provider: string
  readonly providerName: string
  /** The id of the customer's own credential it was submitted with; absent: the host's. */
  readonly credential?: string
  /** The upstream's own name for the job. */
  readonly upstreamId: string
  /** By what it is paid for: the prices when it was accepted, and what it makes at most. */
  readonly skus: Skus
  readonly maxUsage: BillableUsage
}

/** How a job ended. */
export interface VideoEnd {
  readonly at: number
  /** When its files are no longer handed out. */
  readonly contentUntil: number
  readonly outputs: ReadonlyArray<VideoOutput>
  /** Those of them that the host keeps itself. */
  readonly storedFiles?: ReadonlyArray<{ readonly index: number; readonly contentType: string }>
  /** Why the host keeps none of them, though it keeps files. */
  readonly notStoredReason?: string
  /** Nano-USD, a whole number as text; absent when it is not known. */
  readonly cost?: string
  /** Why there is no video, for whoever asked for one. */
  readonly error?: string
}
