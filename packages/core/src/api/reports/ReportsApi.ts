/** Operational reports: health, metrics and plans. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import type { DeadLetter } from "../../engine/jobs/JobStore.ts"
import { cursorPageEnvelope } from "../contract/envelopes.ts"
import { cursorQuery } from "../contract/pageQueries.ts"
import { RawBody, RequiredCaller } from "../contract/operationAnnotations.ts"
import {
  Authentication,
  BadRequest,
  Forbidden,
  InternalServerError,
  NotFound,
  PayloadTooLarge,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized
} from "../contract/ErrorEnvelope.ts"
import { literalParameter } from "../contract/queryParameters.ts"
import { EndpointReport } from "./HealthReport.ts"
import { PlanResponse, PlanRequest } from "./PlanResponse.ts"

const OutboxResponse = Schema.Struct({
  /** Generations in the queue. */
  waiting: Schema.Int,
  /** Generations dropped because the queue was full. */
  dropped: Schema.Int,
  /** Generations for which the destination failed or timed out. */
  failed: Schema.Int
})

const StorageQueueResponse = Schema.Struct({
  /** What is queued: `generations` or `usage`. */
  name: Schema.String,
  /** Records in the queue. */
  waiting: Schema.Int,
  /** Records dropped because the queue was full. */
  dropped: Schema.Int,
  /** Records lost because they could not be written. */
  failed: Schema.Int
})

const StorageResponse = Schema.Struct({
  status: Schema.Literals(["available", "unavailable"]),
  /** Since when it has been unavailable, in milliseconds since the epoch, and why. */
  since: Schema.optionalKey(Schema.Finite),
  reason: Schema.optionalKey(Schema.String),
  /** Records that wait to be written; empty for stores that write at once. */
  queues: Schema.Array(StorageQueueResponse)
})

const JobResponse = Schema.Struct({
  kind: Schema.String,
  /** Whether this process runs steps of this kind. */
  worked: Schema.Boolean,
  /** Steps that wait for a worker now, and steps scheduled for later. */
  due: Schema.Int,
  later: Schema.Int,
  running: Schema.Int,
  /** Milliseconds for which the oldest due step has been due. */
  oldestMillis: Schema.Finite,
  /** Attempts of this process; `died` counts steps that it dead-lettered. */
  succeeded: Schema.Int,
  failed: Schema.Int,
  died: Schema.Int
})

/** A step that is not retried any more; what it was to do stays in the store. */
const DeadStepResponse = Schema.Struct({
  kind: Schema.String,
  /** Id of its resource, such as a video job. */
  id: Schema.String,
  /** Attempts that began. */
  attempts: Schema.Int,
  /** Name of the last error; `Lost`: the outcome of the last attempt is unknown. */
  reason: Schema.String,
  /** When it was given up, ISO 8601. */
  at: Schema.String,
  /** When it was queued, ISO 8601; null when unknown. */
  offered_at: Schema.NullOr(Schema.String)
})

export const toDeadStepResponse = (step: DeadLetter): typeof DeadStepResponse.Type => ({
  kind: step.kind,
  id: step.id,
  attempts: step.attempts,
  reason: step.reason,
  at: new Date(step.at).toISOString(),
  offered_at: step.offeredAt === undefined ? null : new Date(step.offeredAt).toISOString()
})

/** Which endpoints a report of health has: an instance may have tried thousands. */
const reportedEndpoints = ["all", "unhealthy", "none"] as const
export type ReportedEndpoints = (typeof reportedEndpoints)[number]

/** Readiness of the instance and health of its endpoints. */
export const HealthResponse = Schema.Struct({
  status: Schema.Literals(["ready", "draining", "storage_unavailable"]),
  /** The id of the process that answers, as `live.listProcesses` has it. */
  process: Schema.String,
  models: Schema.Int,
  /** Catalog version in use, its source, the last failure to read a newer one, and its invalid entries. */
  catalog: Schema.Struct({
    source: Schema.String,
    version: Schema.Int,
    readAt: Schema.Int,
    failure: Schema.optionalKey(Schema.Struct({ at: Schema.Int, problem: Schema.String })),
    /** How many entries are not served because they are invalid; the first 20 are named. */
    skipped: Schema.optionalKey(
      Schema.Struct({
        count: Schema.Int,
        entries: Schema.Array(Schema.Struct({ model: Schema.String, problem: Schema.String }))
      })
    )
  }),
  /** Requests in progress, without those of the operations console. */
  running: Schema.Int,
  /** Queues to the host's destinations for generations. */
  queues: Schema.Struct({
    /** One entry per destination, in the order of `Options.broadcast`. */
    broadcast: Schema.Array(OutboxResponse),
    io_log: OutboxResponse,
    /** Prompts and answers that are being kept. */
    kept_content: OutboxResponse
  }),
  /** Whether the database can be used, and what was lost on the way to it. */
  storage: StorageResponse,
  /** Durable jobs by kind; null if the store is unavailable. */
  jobs: Schema.NullOr(Schema.Array(JobResponse)),
  /** Time of the report, in milliseconds since the epoch. */
  at: Schema.Finite,
  /** Health of the endpoints tried so far, by id. */
  endpoints: Schema.Record(Schema.String, EndpointReport)
})
export type HealthResponse = typeof HealthResponse.Type

export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8"

const operatorErrors = [
  Unauthorized,
  Forbidden,
  TooManyRequests,
  InternalServerError,
  ServiceUnavailable
]

export class ReportsApi extends HttpApiGroup.make("reports")
  .add(
    HttpApiEndpoint.get("health", "/api/v1/signalbox/health", {
      query: {
        endpoints: literalParameter(
          reportedEndpoints,
          "Which endpoints the report has: `all` that were tried, those that are `unhealthy`, or `none`. Default: `all`."
        )
      },
      success: Schema.Struct({ data: HealthResponse }),
      error: [...operatorErrors, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "Get the readiness of the instance and the health of its endpoints."
    ),
    HttpApiEndpoint.get("listDeadSteps", "/api/v1/signalbox/dead-steps", {
      query: cursorQuery,
      success: cursorPageEnvelope(DeadStepResponse),
      error: [...operatorErrors, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "List the steps of durable jobs that were given up, latest first."
    ),
    HttpApiEndpoint.get("metrics", "/api/v1/signalbox/metrics", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: metricsContentType })),
      error: operatorErrors
    }).annotate(
      OpenApi.Summary,
      "Get metrics in the Prometheus text format: requests, attempts, tokens, cost, latency, breakers."
    ),
    HttpApiEndpoint.post("plan", "/api/v1/signalbox/plan", {
      payload: PlanRequest,
      success: Schema.Struct({ data: PlanResponse }),
      error: [...operatorErrors, BadRequest, NotFound, PayloadTooLarge]
    })
      .annotate(RequiredCaller, "management")
      .annotate(RawBody, true)
      .annotate(
        OpenApi.Summary,
        "Plan a Decision, a chat or a video, with reasons, without calling a provider."
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "operator")
  .annotate(OpenApi.Title, "Signalbox") {}
