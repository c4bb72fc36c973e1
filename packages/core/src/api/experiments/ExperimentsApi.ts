/** Operations on the experiments of the host. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import type { GenerationExperiment } from "../../engine/observability/generations/Generation.ts"
import { countFeedback, type Feedback } from "../../domains/feedback/Feedback.ts"
import { authenticatedErrors, Authentication, resourceErrors } from "../contract/ErrorEnvelope.ts"
import { FeedbackCountsResponse } from "../contract/measures.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import * as Histogram from "../../values/Histogram.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { ExperimentOption, experimentOperations } from "../../domains/experiments/Experiment.ts"
import type { ArmMeasures } from "../../domains/experiments/ExperimentMeasures.ts"
import type { ExperimentReport } from "../../domains/experiments/makeExperimentRuns.ts"
import { experimentStatuses } from "../../domains/experiments/ExperimentState.ts"

const Millis = Schema.NullOr(Schema.Finite)

/** The requests of one side; latencies are within 7.5 %. */
const ArmResponse = Schema.Struct({
  /** Requests at which the model answered or failed. */
  requests: Schema.Int,
  errors: Schema.Int,
  /** Milliseconds to the answer, or to the first event of a stream; null without answers. */
  latency_p50: Millis,
  latency_p95: Millis,
  /** USD of the attempts with a known cost. */
  cost: Schema.Finite,
  /** How often each category of feedback was given on answers of a canary's side; shadows are not seen. */
  feedback: FeedbackCountsResponse
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

const toIsoString = (millis: number): string => new Date(millis).toISOString()

export const toExperimentResponse = (
  { experiment, state }: ExperimentReport,
  feedback: ReadonlyArray<Feedback>
): typeof ExperimentResponse.Type => {
  const countArm = (arm: GenerationExperiment["arm"]) =>
    countFeedback(feedback.filter(({ generation }) => generation.experiment?.arm === arm))
  const { budget, match, mode, share, to } = experiment
  const { agreed, compared, control, skipped, trial } = state.total
  return {
    id: experiment.id,
    mode,
    match: {
      model: match.model,
      operation: match.operation ?? null,
      account: match.account ?? null
    },
    to,
    share,
    budget: budget === undefined ? null : NanoUsd.toUsdNumber(budget),
    status: state.status,
    run: state.run,
    started_at: toIsoString(state.startedAt),
    ended_at: state.endedAt === undefined ? null : toIsoString(state.endedAt),
    cause: state.cause ?? null,
    control: { ...toArmResponse(control), feedback: countArm("control") },
    trial: { ...toArmResponse(trial), feedback: countArm("canary") },
    agreement: { compared, agreed, share: compared === 0 ? null : agreed / compared },
    skipped
  }
}

const toArmResponse = ({
  cost,
  errors,
  latency,
  requests
}: ArmMeasures): Omit<typeof ArmResponse.Type, "feedback"> => ({
  requests,
  errors,
  latency_p50: latency.count === 0 ? null : Histogram.getQuantile(latency, 0.5),
  latency_p95: latency.count === 0 ? null : Histogram.getQuantile(latency, 0.95),
  cost: NanoUsd.toUsdNumber(cost)
})

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
