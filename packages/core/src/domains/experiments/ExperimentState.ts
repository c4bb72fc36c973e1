/** How an experiment stands, over all processes. */
import * as Schema from "effect/Schema"
import * as Histogram from "../../values/Histogram.ts"
import {
  addMeasures,
  type ArmMeasures,
  emptyMeasures,
  ExperimentMeasures
} from "./ExperimentMeasures.ts"

/** Requests of each side below which nothing is concluded. */
export const minJudgedRequests = 200
/** Points of the share of errors by which the model on trial may exceed the other. */
export const maxErrorExcess = 0.05
/** How many times the p95 of the other its p95 may be. */
export const maxLatencyRatio = 1.5

/** Why the model on trial is worse than the requested one; undefined when it is not, or too little is known. */
export const findRollbackCause = ({
  control,
  trial,
  unmeasured
}: ExperimentMeasures): string | undefined => {
  const tried = trial.requests + unmeasured
  const hasAnswered = trial.requests > trial.errors
  if (unmeasured > 0 && !hasAnswered && Math.min(control.requests, tried) >= minJudgedRequests) {
    return `it answered none of ${tried} requests, and ${unmeasured} of them say nothing about it: it was not called, or rejected them`
  }
  if (Math.min(control.requests, trial.requests) < minJudgedRequests) return undefined
  const [errors, usualErrors] = [getErrorShare(trial), getErrorShare(control)]
  if (errors > usualErrors + maxErrorExcess) {
    return `${toPercent(errors)} of ${trial.requests} requests failed, against ${toPercent(usualErrors)} of ${control.requests} with the requested model`
  }
  const [p95, usualP95] = [getP95(trial), getP95(control)]
  if (control.latency.count > 0 && p95 > usualP95 * maxLatencyRatio) {
    return `the p95 of ${trial.requests} requests was ${Math.round(p95)} ms, against ${Math.round(usualP95)} ms of ${control.requests} with the requested model`
  }
  return undefined
}

const getErrorShare = ({ errors, requests }: ArmMeasures): number => errors / requests
const getP95 = ({ latency }: ArmMeasures): number => Histogram.getQuantile(latency, 0.95)
const toPercent = (share: number): string => `${(share * 100).toFixed(1)} %`

export const experimentStatuses = ["running", "rolled_back", "spent", "stopped"] as const

/** The stored state of an experiment. */
export const ExperimentState = Schema.Struct({
  id: Schema.String,
  /** Counts the starts, from 1. */
  run: Schema.Int,
  /** `rolled_back` and `spent`: the experiment ended by itself. `stopped`: the host or an operator ended it. */
  status: Schema.Literals(experimentStatuses),
  /** When the run began, in milliseconds since the epoch. */
  startedAt: Schema.Finite,
  /** When it ended, in milliseconds since the epoch; absent while it runs. */
  endedAt: Schema.optionalKey(Schema.Finite),
  /** Why it ended; absent while it runs. */
  cause: Schema.optionalKey(Schema.String),
  /** Everything that the run has measured. */
  total: ExperimentMeasures,
  /** The latest requests, of two periods, so that a model which turns bad late is noticed as well. */
  previous: ExperimentMeasures,
  latest: ExperimentMeasures
})
export type ExperimentState = typeof ExperimentState.Type

/** How a run ends. */
export interface ExperimentEnd {
  readonly status: Exclude<ExperimentState["status"], "running">
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly cause: string
}

/** The state at the start of run `run`, at `at` milliseconds since the epoch. */
export const startRun = (id: string, run: number, at: number): ExperimentState => ({
  id,
  run,
  status: "running",
  startedAt: at,
  total: emptyMeasures,
  previous: emptyMeasures,
  latest: emptyMeasures
})

/** Adds the measures of one process in run `run`; measures of an earlier run no longer count. */
export const addToState = (
  state: ExperimentState,
  run: number,
  measured: ExperimentMeasures
): ExperimentState => {
  if (state.run !== run) return state
  const total = addMeasures(state.total, measured)
  const latest = addMeasures(state.latest, measured)
  const tried = latest.trial.requests + latest.unmeasured
  const isFull = Math.min(latest.control.requests, tried) >= periodRequests
  return isFull
    ? { ...state, total, previous: latest, latest: emptyMeasures }
    : { ...state, total, latest }
}

/** The measures by which a canary is judged. */
export const getRecent = ({ latest, previous }: ExperimentState): ExperimentMeasures =>
  addMeasures(previous, latest)

/** The state after its run has ended. */
export const endRun = (
  state: ExperimentState,
  { at, cause, status }: ExperimentEnd
): ExperimentState => ({ ...state, status, endedAt: at, cause })

const periodRequests = 2 * minJudgedRequests
