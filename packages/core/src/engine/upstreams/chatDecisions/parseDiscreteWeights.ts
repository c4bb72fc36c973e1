/** Parses a reply of chosen option numbers, such as `{"q0": 2}`, into weights for each question. */
import type { OpenQuestion } from "./OpenQuestion.ts"

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
