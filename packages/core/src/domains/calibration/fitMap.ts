/** Fits a calibration map of each type to labelled answers. */
import { findMode } from "../../questions/distribution.ts"
import { applyMap } from "./applyMap.ts"
import type { CalibrationMap, MapOf, QuestionKind } from "./CalibrationMap.ts"
import { fitDiscrete } from "./discrete.ts"
import { fitIsotonic } from "./isotonic.ts"
import type { LabeledAnswer } from "./Labeler.ts"
import { fitPlatt } from "./platt.ts"
import { fitTemperatureInSteps } from "./temperature.ts"

type MapType = CalibrationMap["type"]

/** The types of maps that `count` labels may choose from. `method`: how the model made its probabilities. */
export const listMapTypes = (
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
export function* fitMapsInSteps(
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
