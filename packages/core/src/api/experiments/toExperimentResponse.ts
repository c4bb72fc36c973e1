/** Converts an experiment and what it measured to the form of the HTTP API. */
import { wilsonInterval } from "../../domains/calibration/reliability.ts"
import type { ArmMeasures } from "../../domains/experiments/ExperimentMeasures.ts"
import { type ExperimentState, getRecent } from "../../domains/experiments/ExperimentState.ts"
import type { ExperimentReport } from "../../domains/experiments/makeExperimentRuns.ts"
import {
  maxErrorExcess,
  maxLatencyRatio,
  minJudgedRequests
} from "../../domains/experiments/rollbackRules.ts"
import { countFeedback, type Feedback } from "../../domains/feedback/Feedback.ts"
import type { GenerationExperiment } from "../../engine/observability/generations/Generation.ts"
import * as Histogram from "../../values/Histogram.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { ExperimentResponse } from "./ExperimentsApi.ts"

type RollbackResponse = NonNullable<ExperimentResponse["rollback"]>
type MeasuresResponse = RollbackResponse["control"]

export const toExperimentResponse = (
  { experiment, state }: ExperimentReport,
  feedback: ReadonlyArray<Feedback>
): ExperimentResponse => {
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
    rollback: mode === "canary" ? toRollbackResponse(state) : null,
    agreement: { compared, agreed, share: compared === 0 ? null : agreed / compared },
    skipped
  }
}

const toIsoString = (millis: number): string => new Date(millis).toISOString()

const toArmResponse = (arm: ArmMeasures): Omit<ExperimentResponse["trial"], "feedback"> => ({
  ...toMeasuresResponse(arm),
  latency_p50: arm.latency.count === 0 ? null : Histogram.getQuantile(arm.latency, 0.5),
  cost: NanoUsd.toUsdNumber(arm.cost),
  cost_per_request: arm.requests === 0 ? null : NanoUsd.toUsdNumber(arm.cost) / arm.requests,
  cost_per_request_interval: findCostInterval(arm)
})

/** The lines follow from the other side, so they move with it. */
const toRollbackResponse = (state: ExperimentState): RollbackResponse => {
  const recent = getRecent(state)
  const [control, trial] = [toMeasuresResponse(recent.control), toMeasuresResponse(recent.trial)]
  const { errors, latency_p95: p95, requests } = control
  return {
    min_requests: minJudgedRequests,
    max_error_share: requests === 0 ? null : errors / requests + maxErrorExcess,
    max_latency_p95: p95 === null ? null : p95 * maxLatencyRatio,
    control,
    trial
  }
}

const toMeasuresResponse = ({ errors, latency, requests }: ArmMeasures): MeasuresResponse => ({
  requests,
  errors,
  errors_interval: requests === 0 ? null : wilsonInterval(errors, requests),
  latency_p95: latency.count === 0 ? null : Histogram.getQuantile(latency, 0.95),
  latency_p95_interval: latency.count === 0 ? null : findQuantileInterval(latency, 0.95)
})

/** Of a normal distribution, 95 % lie within so many standard deviations. */
const deviations = 1.96

/**
 * The answers of these ranks enclose the quantile in 95 % of cases, however the latencies are distributed, because the number of
 * answers below it is binomial: https://online.stat.psu.edu/stat415/lesson/19
 */
const findQuantileInterval = (
  latency: Histogram.Histogram,
  quantile: number
): { readonly low: number; readonly high: number } => {
  const spread = deviations * Math.sqrt((quantile * (1 - quantile)) / latency.count)
  return {
    low: Histogram.getQuantile(latency, Math.max(0, quantile - spread)),
    high: Histogram.getQuantile(latency, Math.min(1, quantile + spread))
  }
}

/** A mean of fewer is not distributed normally, because most requests cost little and a few much. */
const minMeanRequests = 30

/** In USD. Integers until the end, so that no digits cancel out where all requests cost nearly the same. */
const findCostInterval = ({
  cost,
  costSquares,
  requests
}: ArmMeasures): { readonly low: number; readonly high: number } | null => {
  if (costSquares === undefined || requests < minMeanRequests) return null
  const count = BigInt(requests)
  const variance = Number(count * costSquares - cost * cost) / (requests * (requests - 1))
  const mean = Number(cost) / requests
  const spread = deviations * Math.sqrt(variance / requests)
  return { low: Math.max(0, mean - spread) / 1e9, high: (mean + spread) / 1e9 }
}
