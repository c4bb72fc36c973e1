/** From chosen option numbers, a JSON object such as `{"q0": 2}`, to weights for each question. */
import type { OpenQuestion } from "./OpenQuestion.ts"

/** All weight on the option chosen, for each question in the order asked; or what is wrong. */
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

/** Models now and then quote a number. */
const parseOptionNumber = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isInteger(number) ? number : undefined
}
