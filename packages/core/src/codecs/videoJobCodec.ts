/** A video job, to JSON and back. */
import * as Schema from "effect/Schema"
import { AccountId } from "../values/ids/AccountId.ts"
import { KeyHash } from "../values/ids/KeyHash.ts"
import { UserId } from "../values/ids/UserId.ts"
import { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import type { VideoOutput } from "../upstreams/VideoReport.ts"
import type { Dimensions } from "../videos/request/resolveDimensions.ts"
import type {
  VideoReservation,
  VideoAttempt,
  VideoEnd,
  VideoJob,
  VideoAssignment,
  VideoPlan
} from "../videos/VideoJob.ts"
import { VideoJobId } from "../videos/VideoJobId.ts"
import type { BillableUsage } from "../videos/pricing/priceVideo.ts"
import { VideoRequest } from "../videos/request/VideoRequest.ts"
import { VideoStatus } from "../videos/VideoStatus.ts"
import { attemptFields, GenerationReason } from "../observability/Generation.ts"
import { optionalNumber, optionalText, optionalTrue } from "../values/schemaFields.ts"
import type { FieldsOf } from "./FieldsOf.ts"

const Plan = Schema.Struct({
  configuration: Schema.Finite,
  strategy: Schema.String,
  rejected: Schema.Array(GenerationReason),
  demoted: Schema.Array(GenerationReason)
} satisfies FieldsOf<VideoPlan>)

const Assignment = Schema.Struct({
  candidate: Schema.String,
  endpoint: Schema.String,
  provider: Schema.String,
  providerName: Schema.String,
  credential: optionalText,
  upstreamId: Schema.String,
  skus: Schema.Record(Schema.String, Schema.String),
  maxUsage: Schema.Struct({
    videos: Schema.Finite,
    seconds: optionalNumber,
    tokens: optionalNumber,
    images: optionalNumber,
    resolution: optionalText,
    hasAudio: Schema.Boolean
  } satisfies FieldsOf<BillableUsage>)
} satisfies FieldsOf<VideoAssignment>)

const End = Schema.Struct({
  at: Schema.Finite,
  contentUntil: Schema.Finite,
  outputs: Schema.Array(
    Schema.Struct({ index: Schema.Finite, url: optionalText } satisfies FieldsOf<VideoOutput>)
  ),
  storedFiles: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ index: Schema.Finite, contentType: Schema.String } satisfies FieldsOf<
        NonNullable<VideoEnd["storedFiles"]>[number]
      >)
    )
  ),
  notStoredReason: optionalText,
  cost: optionalText,
  error: optionalText
} satisfies FieldsOf<VideoEnd>)

/** A video job to JSON and back. */
export const videoJobCodec: Schema.Codec<VideoJob, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    id: VideoJobId,
    version: Schema.Finite,
    account: AccountId,
    workspace: WorkspaceId,
    kind: Schema.Literals(["member", "management", "organization", "host"]),
    keyHash: Schema.optionalKey(KeyHash),
    user: Schema.optionalKey(UserId),
    mount: Schema.String,
    model: Schema.String,
    request: VideoRequest,
    bytes: Schema.Finite,
    dimensions: Schema.Struct({
      size: optionalText,
      resolution: optionalText,
      aspectRatio: optionalText
    } satisfies FieldsOf<Dimensions>),
    status: VideoStatus,
    createdAt: Schema.Finite,
    deadlineAt: Schema.Finite,
    candidates: Schema.Array(Schema.String),
    plan: Schema.optionalKey(Plan),
    continues: optionalText,
    callbackUrl: optionalText,
    idempotency: Schema.optionalKey(
      Schema.Struct({ key: Schema.String, fingerprint: Schema.String } satisfies FieldsOf<
        NonNullable<VideoJob["idempotency"]>
      >)
    ),
    reservations: Schema.Array(
      Schema.Struct({
        reservation: Schema.String,
        countsByok: Schema.Boolean
      } satisfies FieldsOf<VideoReservation>)
    ),
    reservedUntil: Schema.Finite,
    submittingTo: optionalText,
    submittedTwice: optionalTrue,
    cancelRequested: optionalTrue,
    attempts: Schema.Array(Schema.Struct(attemptFields satisfies FieldsOf<VideoAttempt>)),
    assignment: Schema.optionalKey(Assignment),
    dueAt: optionalNumber,
    contentBytes: optionalNumber,
    polls: Schema.Finite,
    failedPolls: Schema.Finite,
    end: Schema.optionalKey(End)
  } satisfies FieldsOf<VideoJob>)
)
