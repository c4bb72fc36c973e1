/** Parses a reply of probabilities, a JSON object with the keys `q0`, `q1`, ..., into weights for each question. */
import { isObject } from "../../../values/json/guards.ts"
import type { OpenQuestion } from "./OpenQuestion.ts"

type Schema = Readonly<Record<string, unknown>>

/** The JSON Schema of the reply. Its keys are positions, never names or labels from the caller. */
export const toProbabilitySchema = (questions: ReadonlyArray<OpenQuestion>): Schema =>
  toClosedObject(
    "q",
    questions.map(({ options, question }) =>
      question.type === "noul"
        ? probability
        : toClosedObject(
            "o",
            options.map(() => probability)
          )
    )
  )

const probability = { type: "number", minimum: 0, maximum: 1 }

const toClosedObject = (prefix: string, properties: ReadonlyArray<Schema>): Schema => ({
  type: "object",
  properties: Object.fromEntries(properties.map((schema, i) => [`${prefix}${i}`, schema])),
  required: properties.map((_, i) => `${prefix}${i}`),
  additionalProperties: false
})

/** Returns the problem of an invalid reply as a text. */
export const parseProbabilityWeights = (
  questions: ReadonlyArray<OpenQuestion>,
  reply: Readonly<Record<string, unknown>>
): ReadonlyArray<ReadonlyArray<number>> | string => {
  const all: Array<ReadonlyArray<number>> = []
  for (const [i, { options, question }] of questions.entries()) {
    const value = reply[`q${i}`]
    if (question.type === "noul") {
      if (!isProbability(value)) return `q${i} is not a probability`
      all.push([value, 1 - value])
      continue
    }
    const probabilities = isObject(value) ? value : undefined
    const weights: Array<number> = []
    for (let o = 0; o < options.length; o++) {
      const weight = probabilities?.[`o${o}`]
      if (!isWeight(weight)) return `q${i} lacks the probability of an option`
      weights.push(weight)
    }
    all.push(weights)
  }
  return all
}

const isWeight = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0

const isProbability = (value: unknown): value is number => isWeight(value) && value <= 1
