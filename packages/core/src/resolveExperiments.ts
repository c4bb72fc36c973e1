/** The option `experiments`, which few hosts have. */
import { decodeOption } from "./decodeOption.ts"
import {
  ExperimentOption,
  findExperimentProblem,
  makeExperiment
} from "./domains/experiments/Experiment.ts"
import { layerExperiments } from "./domains/experiments/Experiments.ts"
import type { Options } from "./Options.ts"

/** Throws a `RangeError` that names the experiment at fault. */
export const layerHostExperiments = ({ experiments = [] }: Options) => {
  const made = experiments.map((option, index) => {
    const experiment = makeExperiment(
      decodeOption(`experiments.${index}`, ExperimentOption, option)
    )
    const problem = findExperimentProblem(experiment)
    if (problem !== undefined) throw new RangeError(`experiments.${index}.${problem}`)
    return experiment
  })
  const ids = made.map(({ id }) => id)
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (repeated >= 0) {
    throw new RangeError(`experiments.${repeated}: an earlier one has the same match, to and mode`)
  }
  return layerExperiments(made)
}
