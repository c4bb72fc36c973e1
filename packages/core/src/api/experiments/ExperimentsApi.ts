/** Operations on the experiments of the host. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { authenticatedErrors, Authentication, resourceErrors } from "../contract/ErrorEnvelope.ts"
import { FeedbackCountsResponse } from "../contract/measures.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { ExperimentOption, experimentOperations } from "../../domains/experiments/Experiment.ts"
import { experimentStatuses } from "../../domains/experiments/ExperimentState.ts"

const Millis = Schema.NullOr(Schema.Finite)
const Interval = Schema.NullOr(Schema.Struct({ low: Schema.Finite, high: Schema.Finite }))

/** What one side measured; latencies are within 7.5 %. */
const measureFields = {
  /** Requests at which the model answered or failed. */
  requests: Schema.Int,
  errors: Schema.Int,
  /** Wilson's 95 % interval of the share of errors; null without requests. */
  errors_interval: Interval,
  /** Milliseconds to the answer, or to the first event of a stream; null without answers. */
  latency_p95: Millis,
  /** The 95 % interval of `latency_p95`, by the ranks of the answers; null without answers. */
  latency_p95_interval: Interval
}

/** The requests of one side. */
const ArmResponse = Schema.Struct({
  ...measureFields,
  /** Milliseconds; null without answers. */
  latency_p50: Millis,
  /** USD of the attempts with a known cost. */
  cost: Schema.Finite,
  /** USD, `cost` through `requests`; null without requests. */
  cost_per_request: Schema.NullOr(Schema.Finite),
  /**
   * The 95 % interval of `cost_per_request`, by the normal distribution of means. Null below 30 requests, of which a few dear ones
   * would make any mean, and in a run that an earlier version counted in.
   */
  cost_per_request_interval: Interval,
  /** How often each category of feedback was given on answers of a canary's side; shadows are not seen. */
  feedback: FeedbackCountsResponse
})

const RecentArmResponse = Schema.Struct(measureFields)

/** What a canary is judged by. */
const RollbackResponse = Schema.Struct({
  /** Requests of each side before which it is not judged. */
  min_requests: Schema.Int,
  /** Above this share of errors it is rolled back; null before the other side has requests. */
  max_error_share: Schema.NullOr(Schema.Finite),
  /** Above this p95 in milliseconds it is rolled back; null before the other side has answers. */
  max_latency_p95: Millis,
  /** The latest requests of all processes, which it is judged by. */
  control: RecentArmResponse,
  trial: RecentArmResponse
})

const ExperimentResponse = Schema.Struct({
  id: Schema.String,
  mode: ExperimentOption.fields.mode,
  match: Schema.Struct({
    model: Schema.String,
    /** Null: Decisions and chats. */
    operation: Schema.NullOr(Schema.Literals(experimentOperations)),
    /** Null: all accounts. */
    account: Schema.NullOr(Schema.String)
  }),
  /** The model on trial. */
  to: Schema.String,
  share: Schema.Finite,
  /** USD; null without a budget. */
  budget: Schema.NullOr(Schema.Finite),
  /** `rolled_back`: the model on trial was worse. `spent`: a canary has spent its budget. `stopped`: by hand. */
  status: Schema.Literals(experimentStatuses),
  /** Counts the starts, from 1. */
  run: Schema.Int,
  /** ISO 8601. */
  started_at: Schema.String,
  /** ISO 8601; null while it runs. */
  ended_at: Schema.NullOr(Schema.String),
  /** Why it ended; null while it runs. */
  cause: Schema.NullOr(Schema.String),
  /** Requests with the requested model: those that a canary left, or those that a shadow copied. */
  control: ArmResponse,
  /** Requests with the model on trial. */
  trial: ArmResponse,
  /** Null for a shadow, which is not rolled back. */
  rollback: Schema.NullOr(RollbackResponse),
  /** For a shadow: how often the answers decide or say the same. */
  agreement: Schema.Struct({
    compared: Schema.Int,
    agreed: Schema.Int,
    /** 0 to 1; null when nothing was compared. */
    share: Schema.NullOr(Schema.Finite)
  }),
  /** Requests that the model on trial did not get, because the budget had no room for them or, of a shadow, too many were under way. */
  skipped: Schema.Int
})
export type ExperimentResponse = typeof ExperimentResponse.Type

const path = "/api/v1/signalbox/experiments"
const params = { id: Schema.String }

export class ExperimentsApi extends HttpApiGroup.make("experiments")
  .add(
    HttpApiEndpoint.get("list", path, {
      success: dataEnvelope(Schema.Array(ExperimentResponse)),
      error: authenticatedErrors
    }).annotate(
      OpenApi.Summary,
      "List the experiments of the host with what they have measured, over all processes."
    ),
    HttpApiEndpoint.post("restart", `${path}/:id/restart`, {
      params,
      success: dataEnvelope(ExperimentResponse),
      error: resourceErrors
    }).annotate(
      OpenApi.Summary,
      "Start an experiment anew that has ended, with nothing measured and its whole budget. One that runs stays as it is."
    ),
    HttpApiEndpoint.post("stop", `${path}/:id/stop`, {
      params,
      success: dataEnvelope(ExperimentResponse),
      error: resourceErrors
    }).annotate(OpenApi.Summary, "End an experiment. One that has ended stays as it is.")
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "operator")
  .annotate(OpenApi.Title, "Experiments") {}
