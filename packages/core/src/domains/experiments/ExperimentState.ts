/** How an experiment stands, over all processes. */
import * as Schema from "effect/Schema"
import { addMeasures, emptyMeasures, ExperimentMeasures } from "./ExperimentMeasures.ts"
import { minJudgedRequests } from "./rollbackRules.ts"

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
