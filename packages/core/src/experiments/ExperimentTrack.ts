import type { Experiment } from "./Experiment.ts"
import { addMeasures, emptyMeasures, type ExperimentMeasures } from "./ExperimentMeasures.ts"
import type { ExperimentState } from "./ExperimentState.ts"

/** One experiment in this process. */
export class ExperimentTrack {
  readonly experiment: Experiment
  /** As the store last said; undefined until it has, and then nobody takes part. */
  state: ExperimentState | undefined = undefined
  #measured: ExperimentMeasures | undefined = undefined

  constructor(experiment: Experiment) {
    this.experiment = experiment
  }

  add(measured: Partial<ExperimentMeasures>): void {
    this.#measured = addMeasures(this.#measured ?? emptyMeasures, { ...emptyMeasures, ...measured })
  }

  /** What has not been stored; it is forgotten here. */
  take(): ExperimentMeasures | undefined {
    const measured = this.#measured
    this.#measured = undefined
    return measured
  }
}
