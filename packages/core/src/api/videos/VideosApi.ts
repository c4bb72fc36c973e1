/** Operations on video jobs: submit, poll, download, list, cancel. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import type { SettingsShape } from "../../instance/Settings.ts"
import { SessionId } from "../../values/ids/Ids.ts"
import { toVideoResponse } from "../../domains/videos/toVideoResponse.ts"
import type { VideoJob } from "../../domains/videos/VideoJob.ts"
import { VideoRequest } from "../../domains/videos/request/VideoRequest.ts"
import { VideoModel } from "../../domains/listing/VideoModel.ts"
import { VideoStatus } from "../../domains/videos/VideoStatus.ts"
import {
  HasClosedStatuses,
  HidesKeyProblems,
  RawBody,
  RequiredCaller
} from "../contract/operationAnnotations.ts"
import {
  headerParameter,
  integerParameter,
  literalParameter,
  textParameter
} from "../contract/queryParameters.ts"
import {
  authenticatedErrors,
  Authentication,
  BadGateway,
  BadRequest,
  Conflict,
  Gone,
  NotFound,
  PayloadTooLarge,
  PaymentRequired,
  RangeNotSatisfiable,
  resourceErrors
} from "../contract/ErrorEnvelope.ts"
import { dataEnvelope, pageEnvelope } from "../contract/envelopes.ts"
import { pageQuery } from "../contract/pageQueries.ts"
import { routingMetadataFields, routingHeaders } from "../contract/routingMetadataFields.ts"

/** Unknown fields are omitted. */
const VideoResponse = Schema.Struct({
  id: Schema.String,
  /** A path, which includes the mount. */
  polling_url: Schema.String,
  /** The same as an absolute URL; present if `settings.publicUrl` is set. */
  absolute_polling_url: Schema.optionalKey(Schema.String),
  status: VideoStatus,
  /** Id for `GET /generation`; present once the job has ended. */
  generation_id: Schema.optionalKey(Schema.String),
  /** Download addresses of the files, absolute if `settings.publicUrl` is set; present once the job is completed. */
  unsigned_urls: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Present once the job is completed, or has ended otherwise and is charged. */
  usage: Schema.optionalKey(
    Schema.Struct({
      /** USD; absent when unknown. */
      cost: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
      /** Whether the job ran on the account's own credential, which the provider bills. */
      is_byok: Schema.optionalKey(Schema.Boolean)
    })
  ),
  /** Why no copy of the files is stored. They are then available only as long as the provider has them. */
  content_notice: Schema.optionalKey(Schema.String),
  /** Why the job failed. */
  error: Schema.optionalKey(Schema.String)
})

/** A job as management keys see it. */
const ManagedVideoResponse = Schema.Struct({
  ...VideoResponse.fields,
  workspace_id: Schema.String,
  model: Schema.String,
  /** ISO 8601. */
  created_at: Schema.String,
  /** Name of the provider; null until one has accepted the job. */
  provider_name: Schema.NullOr(Schema.String),
  /** Number of status reports received from the provider. */
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
        "idempotency-key": headerParameter({
          maxLength: 255,
          description:
            "Requests with the same key and body create one job, for as long as that job is retained."
        }),
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
      .annotate(OpenApi.Summary, "Submit a video job."),
    HttpApiEndpoint.get("get", `${path}/:jobId`, {
      params: jobParams,
      success: VideoResponse,
      error: resourceErrors
    })
      // Only keys that run models read generated content; management keys list jobs instead.
      .annotate(RequiredCaller, "model")
      .annotate(HasClosedStatuses, true)
      .annotate(OpenApi.Summary, "Get the status of a video job."),
    HttpApiEndpoint.get("download", `${path}/:jobId/content`, {
      params: jobParams,
      query: {
        index: integerParameter({ default: 0, description: "Index of the file, from 0." })
      },
      headers: { range: Schema.optionalKey(Schema.String) },
      success: HttpApiSchema.StreamUint8Array({ contentType: "video/mp4" }),
      error: [...resourceErrors, BadRequest, Conflict, Gone, RangeNotSatisfiable, BadGateway]
    })
      .annotate(RequiredCaller, "model")
      .annotate(HasClosedStatuses, true)
      .annotate(OpenApi.Summary, "Download a file of a completed video job. Supports byte ranges."),
    HttpApiEndpoint.get("list", managedPath, {
      query: {
        ...pageQuery,
        workspace_id: textParameter("Id or slug of a workspace. Default: all workspaces."),
        status: literalParameter(VideoStatus.literals, "Status of the jobs. Default: any.")
      },
      success: pageEnvelope(ManagedVideoResponse),
      error: [...authenticatedErrors, BadRequest, NotFound]
    })
      .annotate(RequiredCaller, "management")
      .annotate(OpenApi.Summary, "List the video jobs of the account, newest first."),
    HttpApiEndpoint.post("cancel", `${managedPath}/:jobId/cancel`, {
      params: jobParams,
      success: dataEnvelope(ManagedVideoResponse),
      error: resourceErrors
    }).annotate(
      OpenApi.Summary,
      "Cancel a video job of the key's workspace, or with a management key, of the account."
    ),
    HttpApiEndpoint.get("listModels", `${path}/models`, {
      success: dataEnvelope(Schema.Array(VideoModel)),
      error: authenticatedErrors
    })
      .annotate(HidesKeyProblems, false)
      .annotate(OpenApi.Summary, "List video models and their capabilities.")
  )
  .middleware(Authentication)
  .annotate(HidesKeyProblems, true)
  .annotate(OpenApi.Title, "Videos") {}
