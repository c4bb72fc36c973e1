/** Chooses the calibration map that predicts held-out labels best; no map if none improves on the raw probabilities. */
import { applyMap } from "./applyMap.ts"
import { assignFolds } from "./assignFolds.ts"
import { type CalibrationMap, noMap, type QuestionKind } from "./CalibrationMap.ts"
import { clampProbabilities } from "./clampProbabilities.ts"
import { fitMapsInSteps, listMapTypes } from "./fitMap.ts"
import type { LabeledAnswer } from "./Labeler.ts"

/** The labels of one map. */
export interface MapLabels {
  readonly kind: QuestionKind
  /** How the model made its probabilities, such as `logprobs`. */
  readonly method: string
  /** At most a few thousand: work grows with their number. */
  readonly answers: ReadonlyArray<LabeledAnswer>
  /** The map of the kind, for the labels of one question. */
  readonly prior?: CalibrationMap
}

/** A map, and what it made of answers whose labels it had not seen. */
export interface ChosenMap {
  readonly map: CalibrationMap
  /** For each answer its distribution by a map of the same type that was fitted to the other folds. */
  readonly heldOut: ReadonlyArray<ReadonlyArray<number>>
}

/**
 * The type of map with the least log-loss in five-fold cross-validation, fitted to all answers. Having no map competes, so
 * a map that does not help is not chosen. Yields every few milliseconds, so that a server can serve requests meanwhile.
 */
export function* chooseMapInSteps({
  answers,
  kind,
  method,
  prior = noMap
}: MapLabels): Generator<void, ChosenMap> {
  const clamped = answers.map((answer) => ({
    ...answer,
    probabilities: clampProbabilities(kind, answer.probabilities)
  }))
  const none: Contestant = {
    heldOut: answers.map(({ probabilities }) => applyMap(kind, noMap, probabilities)),
    loss: computeLoss(
      clamped,
      clamped.map(({ probabilities }) => probabilities)
    )
  }
  const types = listMapTypes(kind, method, answers.length)
  if (types.length === 0) return { map: noMap, heldOut: none.heldOut }
  const heldOut = types.map((): Array<ReadonlyArray<number>> => [])
  const foldOf = assignFolds(answers.length, folds)
  for (let fold = 0; fold < folds; fold++) {
    const others = clamped.filter((_, at) => foldOf[at] !== fold)
    const maps = yield* fitMapsInSteps(kind, types, others, prior)
    for (const [type, map] of maps.entries()) {
      for (const [at, { probabilities }] of answers.entries()) {
        if (foldOf[at] === fold) heldOut[type]![at] = applyMap(kind, map, probabilities)
        if (at % answersPerStep === 0) yield
      }
    }
  }
  let best = none
  let chosen: number | undefined
  for (const [type, mapped] of heldOut.entries()) {
    const loss = computeLoss(
      clamped,
      mapped.map((probabilities) => clampProbabilities(kind, probabilities))
    )
    if (loss < best.loss) {
      best = { heldOut: mapped, loss }
      chosen = type
    }
  }
  if (chosen === undefined) return { map: noMap, heldOut: none.heldOut }
  const maps = yield* fitMapsInSteps(kind, types, clamped, prior)
  return { map: maps[chosen]!, heldOut: best.heldOut }
}

/** `chooseMapInSteps` without a pause. */
export const chooseMap = (labels: MapLabels): ChosenMap => {
  const steps = chooseMapInSteps(labels)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

const folds = 5
const answersPerStep = 1_000

interface Contestant {
  readonly heldOut: ReadonlyArray<ReadonlyArray<number>>
  readonly loss: number
}

const computeLoss = (
  answers: ReadonlyArray<LabeledAnswer>,
  distributions: ReadonlyArray<ReadonlyArray<number>>
): number => {
  let loss = 0
  for (const [at, { label, weight }] of answers.entries()) {
    loss -= weight * Math.log(distributions[at]![label]!)
  }
  return loss
}
