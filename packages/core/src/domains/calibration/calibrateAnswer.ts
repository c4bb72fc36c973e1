/** Writes a calibrated distribution into the answer to a question. */
import type { Answer } from "../../questions/Answer.ts"
import {
  computeChoiceConfidence,
  computeExpectedLevel,
  computeScoreConfidence
} from "../../questions/distribution.ts"
import { setOwn } from "../../values/ownFields.ts"

/**
 * The answer with these probabilities, in the order of its options. The choice stays; the expected level and the confidence
 * follow from the probabilities, also where a provider stated its own.
 */
export const calibrateAnswer = (answer: Answer, probabilities: ReadonlyArray<number>): Answer => {
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
export const addPredictionSet = (answer: Answer, positions: ReadonlyArray<number>): Answer => {
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
