/** Converts the most probable first tokens of a reply to a distribution over the identifiers of the options. */
import { isObject } from "../../../values/json/guards.ts"
import type { OpenQuestion } from "./OpenQuestion.ts"

/** A candidate for a token and the logarithm of its probability. */
export interface TopLogprob {
  readonly token: string
  readonly logprob: number
}

export interface LabelWeights {
  /** The probability of each identifier among the identifiers; they sum to 1 (all 0 without mass). */
  readonly weights: ReadonlyArray<number>
  /** The share of the model's probability on the identifiers, 0 to 1. */
  readonly mass: number
}

/** The API returns at most this many candidates for a token, so one token can distinguish as many options. */
export const maxTopLogprobs = 20

/**
 * One identifier per option, each a single token in every common vocabulary. Digits are better calibrated, so more
 * than nine options use capital letters.
 */
export const listIdentifiers = (options: number): ReadonlyArray<string> =>
  Array.from({ length: options }, (_, i) =>
    options <= 9 ? String(i + 1) : String.fromCharCode("A".charCodeAt(0) + i)
  )

/** A softmax over the identifiers. Tokens of the same identifier (`1`, ` 1`, `[1`) are added. */
export const toLabelWeights = (
  identifiers: ReadonlyArray<string>,
  firstToken: ReadonlyArray<TopLogprob>
): LabelWeights => {
  const masses = identifiers.map(() => 0)
  for (const { logprob, token } of firstToken) {
    const position = identifiers.indexOf(parseIdentifier(token))
    // A logprob above 0 can only be a rounding error of the endpoint.
    if (position !== -1) masses[position]! += Math.exp(Math.min(0, logprob))
  }
  const mass = masses.reduce((sum, each) => sum + each, 0)
  return {
    weights: mass === 0 ? masses : masses.map((each) => each / mass),
    mass: Math.min(1, mass)
  }
}

/** Empty if `token` is not an identifier. */
const parseIdentifier = (token: string): string =>
  /^[\s[("'*]*([0-9A-Z])[\s\])"'*.:]*$/.exec(token)?.[1] ?? ""

/** All weight is on the chosen option. Returns the problem of an invalid reply as a text. */
export const parseDiscreteWeights = (
  questions: ReadonlyArray<OpenQuestion>,
  reply: Readonly<Record<string, unknown>>
): ReadonlyArray<ReadonlyArray<number>> | string => {
  const all: Array<ReadonlyArray<number>> = []
  for (const [i, { options }] of questions.entries()) {
    const chosen = parseOptionNumber(reply[`q${i}`])
    if (chosen === undefined || chosen < 1 || chosen > options.length) {
      return `q${i} is not the number of an option`
    }
    all.push(options.map((_, o) => (o + 1 === chosen ? 1 : 0)))
  }
  return all
}

/** Models sometimes quote a number. */
const parseOptionNumber = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isInteger(number) ? number : undefined
}

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
