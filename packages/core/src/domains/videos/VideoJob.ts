/** A video job: one row, from its acceptance until it is purged. */
import * as Schema from "effect/Schema"
import { KeyKind } from "../../tenants/auth/keys/ApiKey.ts"
import {
  attemptFields,
  boundFields,
  GenerationFilter,
  GenerationReason
} from "../../engine/observability/generations/Generation.ts"
import { VideoOutput } from "../../engine/upstreams/VideoReport.ts"
import { AccountId, KeyHash, UserId, WorkspaceId } from "../../values/ids/Ids.ts"
import { StoredTags } from "../../values/Tags.ts"
import {
  optionalNumber,
  optionalText,
  optionalTrue,
  UnknownJson
} from "../../values/schemaFields.ts"
import { BillableUsage } from "./pricing/priceVideo.ts"
import { Dimensions } from "./request/resolveDimensions.ts"
import { VideoRequest } from "./request/VideoRequest.ts"
import { VideoJobId } from "./VideoJobId.ts"
import { VideoStatus } from "./VideoStatus.ts"

/** A reservation of the cost of a job. */
export const VideoReservation = Schema.Struct({
  reservation: Schema.String,
  /** Whether its limits count BYOK spend. */
  countsByok: Schema.Boolean,
  /** The ids of the candidates whose cost its limits count; absent: all of the job. */
  candidates: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Its limits as JSON, for alerts; absent where the host has none. */
  limits: Schema.optionalKey(UnknownJson)
})
export type VideoReservation = typeof VideoReservation.Type

/** The plan of a job. */
export const VideoPlan = Schema.Struct({
  configuration: Schema.Finite,
  strategy: Schema.String,
  rejected: Schema.Array(GenerationReason),
  demoted: Schema.Array(GenerationReason),
  ...boundFields
})
export type VideoPlan = typeof VideoPlan.Type

/** One attempt to submit a job. */
export const VideoAttempt = Schema.Struct(attemptFields)
export type VideoAttempt = typeof VideoAttempt.Type

/** Where a job runs. */
export const VideoAssignment = Schema.Struct({
  candidate: Schema.String,
  endpoint: Schema.String,
  /** The slug of the upstream, and its display name. */
  provider: Schema.String,
  providerName: Schema.String,
  /** The id of the customer's credential; absent when the host's credential is used. */
  credential: optionalText,
  /** The upstream's id of the job. */
  upstreamId: Schema.String,
  /** What the cost is computed from: the prices at acceptance, and the maximum usage. */
  skus: Schema.Record(Schema.String, Schema.String),
  maxUsage: BillableUsage
})
export type VideoAssignment = typeof VideoAssignment.Type

/** How a job ended. */
export const VideoEnd = Schema.Struct({
  at: Schema.Finite,
  /** When its files expire. */
  contentUntil: Schema.Finite,
  outputs: Schema.Array(VideoOutput),
  /** The outputs in the blob store. */
  storedFiles: Schema.optionalKey(
    Schema.Array(Schema.Struct({ index: Schema.Finite, contentType: Schema.String }))
  ),
  /** Why the files were not copied to the blob store. */
  notStoredReason: optionalText,
  /** Nano-USD as an integer string; absent when unknown. */
  cost: optionalText,
  /** Why the job has no video; shown to the caller. */
  error: optionalText
})
export type VideoEnd = typeof VideoEnd.Type

/** Plain JSON without secrets. Times are milliseconds since the epoch. */
export const VideoJob = Schema.Struct({
  id: VideoJobId,
  /** Optimistic-lock version; stale writes are rejected. */
  version: Schema.Finite,
  account: AccountId,
  workspace: WorkspaceId,
  kind: Schema.Literals([...KeyKind.literals, "host"]),
  keyHash: Schema.optionalKey(KeyHash),
  user: Schema.optionalKey(UserId),
  tags: Schema.optionalKey(StoredTags),
  /** The `x-request-id` of the response to its submission; absent: it was not submitted over HTTP. */
  requestId: optionalText,
  /** The span of its submission, as `traceparent` writes it; absent: no tracer exported it. */
  traceparent: optionalText,
  /** The path the instance was mounted at when the job was submitted. */
  mount: Schema.String,
  /** The id of the resolved model. */
  model: Schema.String,
  /**
   * Inline media is removed once a provider has accepted the job; prompt, media and provider options are removed
   * when the job ends.
   */
  request: VideoRequest,
  /** Size of the request in UTF-8 bytes. */
  bytes: Schema.Finite,
  dimensions: Dimensions,
  status: VideoStatus,
  createdAt: Schema.Finite,
  /** When the job expires. */
  deadlineAt: Schema.Finite,
  /** The ids of the planned candidates; the job is submitted to no others. */
  candidates: Schema.Array(Schema.String),
  /** Absent after the end, when the generation has it. */
  plan: Schema.optionalKey(VideoPlan),
  /** Fields of the request that a video does not have; absent: none. */
  ignored: Schema.optionalKey(Schema.Array(Schema.String)),
  /** What content filters found in the request; absent: nothing, or there are none. */
  filters: Schema.optionalKey(Schema.Array(GenerationFilter)),
  /** The upstream id of the job that this one continues. */
  continues: optionalText,
  /** The length and resolution of that job, which this one has, too. */
  continued: Schema.optionalKey(
    Schema.Struct({ seconds: optionalNumber, resolution: optionalText })
  ),
  /** Checked by `parseCallbackUrl`. */
  callbackUrl: optionalText,
  /** Hashes of the `Idempotency-Key`, unique among all jobs, and of the request. */
  idempotency: Schema.optionalKey(
    Schema.Struct({ key: Schema.String, fingerprint: Schema.String })
  ),
  /** Reservations of its cost, and when they expire. */
  reservations: Schema.Array(VideoReservation),
  reservedUntil: Schema.Finite,
  /** The id of the candidate that may have accepted the job: the outcome of the submit is not known yet. */
  submittingTo: optionalText,
  /** The candidate does not support idempotency keys and was called twice; there is no third submit. */
  submittedTwice: optionalTrue,
  /** Cancelled during a submit; the job ends when the outcome of the submit is known. */
  cancelRequested: optionalTrue,
  /** Submit attempts in order. */
  attempts: Schema.Array(VideoAttempt),
  /** Where the job runs; absent until a candidate accepts it. */
  assignment: Schema.optionalKey(VideoAssignment),
  /** When the worker processes the job next; after the end, when its stored files are deleted. */
  dueAt: optionalNumber,
  /** Bytes of its files that are stored or reserved; counted against the limit of the account. */
  contentBytes: optionalNumber,
  /** Answered polls, and consecutive failed polls since. */
  polls: Schema.Finite,
  failedPolls: Schema.Finite,
  end: Schema.optionalKey(VideoEnd)
})
export type VideoJob = typeof VideoJob.Type
