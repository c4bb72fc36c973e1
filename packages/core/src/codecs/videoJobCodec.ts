/** A video job, to JSON and back. */
import * as Schema from "effect/Schema"
import { AccountId } from "../values/AccountId.ts"
import { KeyHash } from "../values/KeyHash.ts"
import { UserId } from "../values/UserId.ts"
import { WorkspaceId } from "../values/WorkspaceId.ts"
import type { VideoOutput } from "../upstreams/VideoReport.ts"
import type { Dimensions } from "../videos/dimensions.ts"
import type {
  HeldMoney,
  VideoAttempt,
  VideoEnd,
  VideoJob,
  VideoPlace,
  VideoPlan
} from "../videos/VideoJob.ts"
import { VideoJobId } from "../videos/VideoJobId.ts"
import type { Made } from "../videos/videoPrice.ts"
import { VideoRequest } from "../videos/VideoRequest.ts"
import { VideoStatus } from "../videos/VideoStatus.ts"
import { type FieldsOf, flag, number, text } from "./fieldsOf.ts"
import { attemptFields, GenerationReason } from "./generationCodec.ts"

const Plan = Schema.Struct({
  configuration: Schema.Finite,
  strategy: Schema.String,
  rejected: Schema.Array(GenerationReason),
  demoted: Schema.Array(GenerationReason)
} satisfies FieldsOf<VideoPlan>)

const Place = Schema.Struct({
  candidate: Schema.String,
  endpoint: Schema.String,
  provider: Schema.String,
  providerName: Schema.String,
  credential: text,
  upstreamId: Schema.String,
  skus: Schema.Record(Schema.String, Schema.String),
  atMost: Schema.Struct({
    videos: Schema.Finite,
    seconds: number,
    tokens: number,
    images: number,
    resolution: text,
    hasAudio: Schema.Boolean
  } satisfies FieldsOf<Made>)
} satisfies FieldsOf<VideoPlace>)

const End = Schema.Struct({
  at: Schema.Finite,
  contentUntil: Schema.Finite,
  outputs: Schema.Array(
    Schema.Struct({ index: Schema.Finite, url: text } satisfies FieldsOf<VideoOutput>)
  ),
  kept: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ index: Schema.Finite, contentType: Schema.String } satisfies FieldsOf<
        NonNullable<VideoEnd["kept"]>[number]
      >)
    )
  ),
  notKept: text,
  cost: text,
  error: text
} satisfies FieldsOf<VideoEnd>)

/** A video job to JSON and back. */
export const videoJobCodec: Schema.Codec<VideoJob, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    id: VideoJobId,
    turn: Schema.Finite,
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
      size: text,
      resolution: text,
      aspectRatio: text
    } satisfies FieldsOf<Dimensions>),
    status: VideoStatus,
    createdAt: Schema.Finite,
    deadlineAt: Schema.Finite,
    candidates: Schema.Array(Schema.String),
    plan: Schema.optionalKey(Plan),
    continues: text,
    callbackUrl: text,
    repeat: Schema.optionalKey(
      Schema.Struct({ key: Schema.String, fingerprint: Schema.String } satisfies FieldsOf<
        NonNullable<VideoJob["repeat"]>
      >)
    ),
    held: Schema.Array(
      Schema.Struct({
        reservation: Schema.String,
        countsByok: Schema.Boolean
      } satisfies FieldsOf<HeldMoney>)
    ),
    heldUntil: Schema.Finite,
    submittingTo: text,
    submittedTwice: flag,
    cancelWanted: flag,
    attempts: Schema.Array(Schema.Struct(attemptFields satisfies FieldsOf<VideoAttempt>)),
    place: Schema.optionalKey(Place),
    dueAt: number,
    contentBytes: number,
    polls: Schema.Finite,
    unanswered: Schema.Finite,
    end: Schema.optionalKey(End)
  } satisfies FieldsOf<VideoJob>)
)
