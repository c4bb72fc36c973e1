/** Chooses the calibration map that predicts held-out labels best; no map if none improves on the raw probabilities. */
import { findMode } from "../../questions/distribution.ts"
import { type CalibrationMap, type MapOf, noMap, type QuestionKind } from "./CalibrationMap.ts"
import type { LabeledAnswer } from "./Labeler.ts"
import { mixBits } from "./QuestionHasher.ts"
import { applyMap, clampProbabilities } from "./applyMap.ts"
import { fitIsotonic } from "./isotonic.ts"
import { fitPlatt } from "./platt.ts"
import { fitTemperatureInSteps } from "./temperature.ts"

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

type MapType = CalibrationMap["type"]

/** The types of maps that `count` labels may choose from. `method`: how the model made its probabilities. */
const listMapTypes = (
  kind: QuestionKind,
  method: string,
  count: number
): ReadonlyArray<Exclude<MapType, "none">> => {
  if (count < leastLabels) return []
  if (method === "discrete") return ["discrete"]
  const base = kind === "noul" ? "platt" : "temperature"
  return count < leastIsotonicLabels ? [base] : [base, "isotonic"]
}

/** Fewer labels cannot tell whether a map helps. */
const leastLabels = 10
const leastIsotonicLabels = 500

/**
 * A map of each of `types` that makes `answers`, which are clamped, most likely. `prior`: the map of the kind, to which
 * one of a question is shrunk. Yields now and then.
 */
function* fitMapsInSteps(
  kind: QuestionKind,
  types: ReadonlyArray<Exclude<MapType, "none">>,
  answers: ReadonlyArray<LabeledAnswer>,
  prior: CalibrationMap
): Generator<void, ReadonlyArray<CalibrationMap>> {
  if (types.length === 0) return []
  if (types.includes("discrete")) {
    return [fitDiscrete(answers, prior.type === "discrete" ? prior.share : undefined)]
  }
  const base = yield* fitBaseInSteps(kind, answers, prior.type === "isotonic" ? prior.base : prior)
  yield
  return types.map((type) =>
    type === "isotonic"
      ? { type, base, points: fitIsotonic(toObservations(kind, base, answers)) }
      : base
  )
}

function* fitBaseInSteps(
  kind: QuestionKind,
  answers: ReadonlyArray<LabeledAnswer>,
  prior: CalibrationMap
): Generator<void, MapOf<"platt"> | MapOf<"temperature">> {
  if (kind === "noul") return fitPlatt(answers, prior.type === "platt" ? prior : undefined)
  const temperature = yield* fitTemperatureInSteps(
    answers,
    prior.type === "temperature" ? prior.temperature : undefined
  )
  return { type: "temperature", temperature }
}

/** Takes the probability of yes for a yes/no question, and the probability of the best option for other questions. */
const toObservations = (
  kind: QuestionKind,
  base: CalibrationMap,
  answers: ReadonlyArray<LabeledAnswer>
) =>
  answers.map(({ label, probabilities, weight }) => {
    const mapped = applyMap(kind, base, probabilities)
    const at = kind === "noul" ? 0 : findMode(mapped)
    return { confidence: mapped[at]!, isHit: label === at, weight }
  })

/** The share of right answers, with four more answers of which `prior` is right. */
const fitDiscrete = (answers: ReadonlyArray<LabeledAnswer>, prior = 0.5): MapOf<"discrete"> => {
  let hits = 0
  let total = 0
  for (const { label, probabilities, weight } of answers) {
    total += weight
    if (findMode(probabilities) === label) hits += weight
  }
  return { type: "discrete", share: (hits + pseudoAnswers * prior) / (total + pseudoAnswers) }
}

const pseudoAnswers = 4

/**
 * The fold of each of `count` answers: folds of equal size, drawn at random but always the same, because labels that come
 * in a pattern would otherwise be in one fold.
 */
export const assignFolds = (count: number, folds: number): ReadonlyArray<number> => {
  const drawn = Array.from({ length: count }, (_, at) => ({ at, bits: mixBits(at) })).toSorted(
    (one, other) => one.bits - other.bits
  )
  const assigned: Array<number> = []
  for (const [rank, { at }] of drawn.entries()) assigned[at] = rank % folds
  return assigned
}
