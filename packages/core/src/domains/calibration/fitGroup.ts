/** Fits the maps of a group: one for its kind of question, and one for each question with enough labels. */
import { applyMap } from "./applyMap.ts"
import { boundWeights } from "./boundLabelers.ts"
import type { CalibrationMap } from "./CalibrationMap.ts"
import { computeCalibrationFigures } from "./calibrationReport.ts"
import type { CalibrationGroup, CalibrationSample } from "./CalibrationSample.ts"
import { chooseMapInSteps } from "./chooseMap.ts"
import { toConformalScores } from "./conformal.ts"
import type { FittedMap, FittedMaps } from "./FittedMaps.ts"
import { countLabelers } from "./countLabelers.ts"
import { encodeFloats } from "./QuestionHasher.ts"

/** `samples`: the latest first. Yields where a server may serve requests meanwhile. */
export function* fitGroupInSteps(
  group: CalibrationGroup,
  samples: ReadonlyArray<CalibrationSample>,
  fittedAt: number
): Generator<void, FittedMaps> {
  if (samples.length === 0) return { fittedAt, maps: [] }
  const kind = yield* fitMapInSteps(group, samples)
  const maps = [kind]
  for (const [question, own] of groupByQuestion(samples)) {
    if (own.length < leastQuestionLabels) continue
    const fitted = yield* fitMapInSteps(group, own, kind.map)
    maps.push({ ...fitted, question })
  }
  return { fittedAt, maps }
}

/** From here on a question has a map of its own. */
const leastQuestionLabels = 50

/** How many labels are reported apart, to show drift. */
const recentSamples = 200

function* fitMapInSteps(
  { kind, method }: CalibrationGroup,
  given: ReadonlyArray<CalibrationSample>,
  prior?: CalibrationMap
): Generator<void, FittedMap> {
  const samples = boundWeights(given)
  const { heldOut, map } = yield* chooseMapInSteps({
    kind,
    method,
    answers: samples,
    ...(prior === undefined ? undefined : { prior })
  })
  yield
  const served = samples.map(({ probabilities }) => applyMap(kind, map, probabilities))
  const { masses, scores } = toConformalScores(samples, heldOut, served)
  yield
  const compare = (count: number): FittedMap["all"] => {
    const compared = samples.slice(0, count)
    return {
      samples: compared.length,
      before: computeCalibrationFigures(kind, compared),
      after: computeCalibrationFigures(
        kind,
        compared.map((sample, at) => ({ ...sample, probabilities: heldOut[at]! }))
      )
    }
  }
  return {
    map,
    scores: encodeFloats(scores),
    ...(masses === undefined ? undefined : { masses: encodeFloats(masses) }),
    labelers: countLabelers(samples),
    all: compare(samples.length),
    recent: compare(recentSamples)
  }
}

const groupByQuestion = (
  samples: ReadonlyArray<CalibrationSample>
): ReadonlyMap<string, ReadonlyArray<CalibrationSample>> => {
  const groups = new Map<string, Array<CalibrationSample>>()
  for (const sample of samples) {
    const group = groups.get(sample.question)
    if (group === undefined) groups.set(sample.question, [sample])
    else group.push(sample)
  }
  return groups
}
