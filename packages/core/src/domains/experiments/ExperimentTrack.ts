/** An experiment as one process knows it, with what it has measured since the store last heard of it. */
import type { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import { type Limit, makeLifetimeLimit } from "../../engine/ledger/Limit.ts"
import type { NoEndpoints } from "../../routing/RoutingErrors.ts"
import { type RouteAttempt, sumCost } from "../../routing/attempt/RouteAttempt.ts"
import { type OutcomeRules, toOutcome } from "../../routing/attempt/toOutcome.ts"
import type * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { Experiment } from "./Experiment.ts"
import {
  type ArmMeasures,
  type ExperimentMeasures,
  addMeasures,
  emptyMeasures,
  toArm
} from "./ExperimentMeasures.ts"
import type { ExperimentState } from "./ExperimentState.ts"

/** One experiment in this process. */
export class ExperimentTrack {
  readonly experiment: Experiment
  /** The state last read from the store. Until the first read it is undefined, and no request takes part. */
  state: ExperimentState | undefined = undefined
  /** The cheapest attempt that the budget had no room for in this run, in nano-USD; undefined: it had for all. */
  cheapestSkipped: NanoUsd.NanoUsd | undefined = undefined
  #measured: ExperimentMeasures | undefined = undefined

  constructor(experiment: Experiment) {
    this.experiment = experiment
  }

  add(measured: Partial<ExperimentMeasures>): void {
    this.#measured = addMeasures(this.#measured ?? emptyMeasures, { ...emptyMeasures, ...measured })
  }

  /** An attempt was not made, for want of money or of a known price. */
  skip(reason: LimitExceeded | NoEndpoints): void {
    this.add({ skipped: 1 })
    if (reason._tag !== "LimitExceeded") return
    const { cheapestSkipped = reason.amount } = this
    this.cheapestSkipped = reason.amount < cheapestSkipped ? reason.amount : cheapestSkipped
  }

  /** Returns the measures that are not stored yet, and clears them here. */
  take(): ExperimentMeasures | undefined {
    const measured = this.#measured
    this.#measured = undefined
    return measured
  }
}

/**
 * Undefined when they say nothing about `model`: it was not tried, the caller broke the request off, or the request itself
 * was at fault.
 */
export const toArmMeasures = (
  model: string,
  attempts: ReadonlyArray<RouteAttempt>,
  startedAt: number,
  rules: OutcomeRules
): ArmMeasures | undefined => {
  const own = attempts.filter(({ candidate }) => candidate.endpoint.model === model)
  const last = own.at(-1)
  if (last === undefined) return undefined
  const { result } = toOutcome(last, rules)
  if (result === "ignored") return undefined
  const millis = last.startedAt - startedAt + (last.firstEventMillis ?? last.latencyMillis)
  return toArm(result === "success" ? "answered" : "failed", millis, sumCost(own))
}

/** Whether a request reached a model, and its caller waited for the answer. */
export const isMeasurable = (attempts: ReadonlyArray<RouteAttempt>): boolean => {
  const last = attempts.at(-1)
  return last !== undefined && last.abortReason === undefined
}

/** Each run has its own budget. Empty without one. */
export const toBudgetLimits = (
  { budget, id }: Pick<Experiment, "budget" | "id">,
  run: number
): ReadonlyArray<Limit> =>
  budget === undefined
    ? []
    : [
        makeLifetimeLimit({
          kind: "experiment",
          id: `${id}/${run}`,
          cap: budget,
          countsByok: true
        })
      ]
