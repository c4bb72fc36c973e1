/** Videos: jobs that are submitted, asked after, and whose files are downloaded. Source: wire, Video. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import type { SettingsShape } from "../../Settings.ts"
import { SessionId } from "../../values/ids/SessionId.ts"
import { toVideoResponse } from "../toVideoResponse.ts"
import type { VideoJob } from "../VideoJob.ts"
import { VideoRequest } from "../request/VideoRequest.ts"
import { VideoModel } from "../../listing/VideoModel.ts"
import { VideoStatus } from "../VideoStatus.ts"
import {
  HasClosedStatuses,
  HidesKeyProblems,
  RawBody,
  RequiredCaller
} from "../../http/contract/operationAnnotations.ts"
import {
  headerParameter,
  integerParameter,
  literalParameter,
  textParameter
} from "../../http/contract/queryParameters.ts"
import { Authentication } from "../../http/contract/Authentication.ts"
import { dataEnvelope, pageEnvelope } from "../../http/contract/envelopes.ts"
import { pageQuery } from "../../http/contract/pageQueries.ts"
import {
  authenticatedErrors,
  BadGateway,
  BadRequest,
  Conflict,
  Gone,
  NotFound,
  resourceErrors,
  PayloadTooLarge,
  PaymentRequired,
  RangeNotSatisfiable
} from "../../http/contract/ErrorEnvelope.ts"
import { routingMetadataFields, routingHeaders } from "../../http/contract/routingMetadataFields.ts"

/** What is not known is left out. */
const VideoResponse = Schema.Struct({
  id: Schema.String,
  /** A path, or a URL where the host has said its public one. */
  polling_url: Schema.String,
  status: VideoStatus,
  /** Once it is over; `GET /generation` knows it. */
  generation_id: Schema.optionalKey(Schema.String),
  /** Once it is completed: where to download its files from. */
  unsigned_urls: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Once it is completed. */
  usage: Schema.optionalKey(
    Schema.Struct({
      /** USD; absent when it is not known. */
      cost: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
      /** Whether it ran on a credential of the account's own, which its provider bills. */
      is_byok: Schema.optionalKey(Schema.Boolean)
    })
  ),
  /** Why the service keeps no copy of its files: they may be had for as long as the provider has them only. */
  content_notice: Schema.optionalKey(Schema.String),
  /** Why there is no video. */
  error: Schema.optionalKey(Schema.String)
})

/** With what its account may know of it. */
const ManagedVideoResponse = Schema.Struct({
  ...VideoResponse.fields,
  workspace_id: Schema.String,
  model: Schema.String,
  /** ISO 8601. */
  created_at: Schema.String,
  /** Who makes it; null before somebody has accepted it. */
  provider_name: Schema.NullOr(Schema.String),
  /** How often its provider has told how it stands. */
  polls: Schema.Int
})

export const toManagedVideoResponse = (
  job: VideoJob,
  settings: Pick<SettingsShape, "publicUrl">,
  mount: string
): typeof ManagedVideoResponse.Type => ({
  ...toVideoResponse(job, settings, mount),
  workspace_id: job.workspace,
  model: job.model,
  created_at: new Date(job.createdAt).toISOString(),
  provider_name: job.assignment?.providerName ?? null,
  polls: job.polls
})

const path = "/api/v1/videos"
const managedPath = "/api/v1/signalbox/videos"
const jobParams = { jobId: Schema.String }

export class VideosApi extends HttpApiGroup.make("videos")
  .add(
    HttpApiEndpoint.post("submit", path, {
      headers: {
        "x-session-id": Schema.optionalKey(SessionId),
        /** With the same key and body there is one job, for as long as it is known. */
        "idempotency-key": headerParameter({ maxLength: 255 }),
        ...routingHeaders
      },
      payload: VideoRequest,
      success: Schema.Struct({ ...VideoResponse.fields, ...routingMetadataFields }).annotate({
        httpApiStatus: 202
      }),
      error: [...authenticatedErrors, BadRequest, PaymentRequired, NotFound, PayloadTooLarge]
    })
      .annotate(RequiredCaller, "model")
      .annotate(RawBody, true)
      .annotate(HasClosedStatuses, true)
      .annotate(OpenApi.Summary, "Start a video job"),
    HttpApiEndpoint.get("get", `${path}/:jobId`, {
      params: jobParams,
      success: VideoResponse,
      error: resourceErrors
    })
      // What models make is for keys that run models; management has its list.
      .annotate(RequiredCaller, "model")
      .annotate(HasClosedStatuses, true)
      .annotate(OpenApi.Summary, "How a video job stands"),
    HttpApiEndpoint.get("download", `${path}/:jobId/content`, {
      params: jobParams,
      query: {
        index: integerParameter({ default: 0, description: "Which file." })
      },
      headers: { range: Schema.optionalKey(Schema.String) },
      success: HttpApiSchema.StreamUint8Array({ contentType: "video/mp4" }),
      error: [...resourceErrors, BadRequest, Conflict, Gone, RangeNotSatisfiable, BadGateway]
    })
      .annotate(RequiredCaller, "model")
      .annotate(HasClosedStatuses, true)
      .annotate(OpenApi.Summary, "A file of a completed video job, whole or by ranges"),
    HttpApiEndpoint.get("list", managedPath, {
      query: {
        ...pageQuery,
        workspace_id: textParameter("An id or a slug."),
        status: literalParameter(VideoStatus.literals)
      },
      success: pageEnvelope(ManagedVideoResponse),
      error: [...authenticatedErrors, BadRequest, NotFound]
    })
      .annotate(RequiredCaller, "management")
      .annotate(OpenApi.Summary, "Video jobs of the account, newest first"),
    HttpApiEndpoint.post("cancel", `${managedPath}/:jobId/cancel`, {
      params: jobParams,
      success: dataEnvelope(ManagedVideoResponse),
      error: resourceErrors
    }).annotate(
      OpenApi.Summary,
      "Stops a video job: of the key's workspace, with a management key of the account"
    ),
    HttpApiEndpoint.get("listModels", `${path}/models`, {
      success: dataEnvelope(Schema.Array(VideoModel)),
      error: authenticatedErrors
    })
      .annotate(HidesKeyProblems, false)
      .annotate(OpenApi.Summary, "Video models and what they can do")
  )
  .middleware(Authentication)
  .annotate(HidesKeyProblems, true)
  .annotate(OpenApi.Title, "Videos") {}
