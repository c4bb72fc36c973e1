/** Calibrates the answers of one Decision. */
import type { LabelableAnswer } from "../../engine/observability/generations/LabelableAnswer.ts"
import type { Answer, Answers, AppliedMap } from "../../questions/Answer.ts"
import {
  computeChoiceConfidence,
  computeExpectedLevel,
  computeScoreConfidence,
  findMode,
  normalize
} from "../../questions/distribution.ts"
import { setOwn } from "../../values/ownFields.ts"
import { type AccountMaps, calibrateStored, type ReadyMap } from "./AccountMaps.ts"
import type { Calibrator } from "./Calibrator.ts"
import { encodeFloats } from "./QuestionHasher.ts"
import { applyMap } from "./applyMap.ts"
import { buildPredictionSet, findScoreQuantile } from "./conformal.ts"

/** Calibrates by the maps of an account. `hashes`: the hashes of the questions that can be labelled. */
export const makeCalibrator = (hashes: Calibrator["hashes"], maps: AccountMaps): Calibrator => ({
  hashes,
  version: maps.version,
  toStoredProbabilities: (kind, name, { method, verdicts }, model) =>
    calibrateStored(
      kind,
      maps.find({ model, method, kind }, hashes.get(name)?.key),
      normalize(verdicts.get(name)!.weights)
    ),
  calibrate: (questions, answers, { method, verdicts }, model, coverage) => {
    const calibrated: Record<string, Answers[string]> = {}
    const applied: Record<string, AppliedMap> = {}
    const labelable: Array<LabelableAnswer> = []
    for (const [name, question] of Object.entries(questions)) {
      const kind = question.type
      const answer = answers[name]!
      const raw = normalize(verdicts.get(name)!.weights)
      const hashed = hashes.get(name)
      const found = maps.find({ model, method, kind }, hashed?.key)
      const probabilities = found === undefined ? raw : applyMap(kind, found.map, raw)
      const mapped =
        found === undefined || found.map.type === "none"
          ? answer
          : calibrateAnswer(answer, probabilities)
      setOwn(
        calibrated,
        name,
        coverage === undefined
          ? mapped
          : addPredictionSet(mapped, pickSet(answer, probabilities, found, coverage))
      )
      setOwn(applied, name, {
        map: found?.map.type ?? "none",
        samples: found?.samples ?? 0,
        scope: found?.scope ?? null,
        key: hashed?.key ?? null
      })
      if (hashed !== undefined) labelable.push({ kind, ...hashed, weights: encodeFloats(raw) })
    }
    return { answers: calibrated, applied, labelable }
  }
})

const pickSet = (
  answer: Answers[string],
  probabilities: ReadonlyArray<number>,
  found: ReadyMap | undefined,
  coverage: number
): ReadonlyArray<number> => {
  // A provider may choose another label than the most probable one.
  const chosen =
    answer.type === "choice"
      ? Object.keys(answer.probabilities ?? {}).indexOf(answer.choice)
      : findMode(probabilities)
  const threshold = found === undefined ? Infinity : findScoreQuantile(found.scores, coverage)
  return buildPredictionSet(answer.type, probabilities, chosen, threshold)
}

/**
 * The answer with these probabilities, in the order of its options. The choice stays; the expected level and the confidence
 * follow from the probabilities, also where a provider stated its own.
 */
const calibrateAnswer = (answer: Answer, probabilities: ReadonlyArray<number>): Answer => {
  switch (answer.type) {
    case "noul":
      return { ...answer, noul: probabilities[0]! }
    case "choice":
      return {
        ...answer,
        confidence: computeChoiceConfidence(probabilities),
        probabilities: replaceValues(answer.probabilities, probabilities)
      }
    case "score":
      return {
        ...answer,
        score: computeExpectedLevel(probabilities),
        confidence: computeScoreConfidence(probabilities),
        probabilities: replaceValues(answer.probabilities, probabilities)
      }
  }
}

/** The answer with the options at `positions` as its set. */
const addPredictionSet = (answer: Answer, positions: ReadonlyArray<number>): Answer => {
  switch (answer.type) {
    case "noul":
      return { ...answer, prediction_set: positions.map((at) => at === 0) }
    case "choice": {
      const labels = Object.keys(answer.probabilities ?? {})
      return { ...answer, prediction_set: positions.map((at) => labels[at]!) }
    }
    case "score":
      return { ...answer, prediction_set: positions }
  }
}

/** A derived answer has its options in the order of the question. */
const replaceValues = (
  record: Readonly<Record<string, number>> = {},
  values: ReadonlyArray<number>
): Record<string, number> => {
  const replaced: Record<string, number> = {}
  for (const [at, name] of Object.keys(record).entries()) setOwn(replaced, name, values[at]!)
  return replaced
}
