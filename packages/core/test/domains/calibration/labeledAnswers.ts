/** Arbitrary weights and labelled answers. */
import fc from "fast-check"
import type { LabeledAnswer } from "../../../src/domains/calibration/Labeler.ts"
import { normalize } from "../../../src/questions/distribution.ts"

/** Any weights of an upstream: tiny, huge, zero, equal. */
export const weights = (minLength = 1, maxLength = 40) =>
  fc.array(
    fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: Number.MAX_VALUE, noNaN: true }),
      fc.constantFrom(0, Number.MIN_VALUE, Number.MAX_VALUE, 1, 0.1, 1 - 2 ** -53)
    ),
    { minLength, maxLength }
  )

/** Labelled answers with `options` options. */
export const labeledAnswers = (
  options: number,
  maxLength = 60
): fc.Arbitrary<Array<LabeledAnswer>> =>
  fc.array(
    fc.record({
      probabilities: weights(options, options).map(normalize),
      label: fc.nat({ max: options - 1 }),
      weight: fc.constantFrom(1, 1, 5, 50)
    }),
    { minLength: 1, maxLength }
  )

/** Answers that are too sure: right as often as `1 / (1 + odds ** (1 / temperature))` says. */
export const makeOverconfident = (
  count: number,
  random: () => number,
  temperature: number
): ReadonlyArray<LabeledAnswer> =>
  Array.from({ length: count }, () => {
    const logit = 6 * random()
    const yes = 1 / (1 + Math.exp(-logit))
    const truth = 1 / (1 + Math.exp(-logit / temperature))
    return { probabilities: [yes, 1 - yes], label: random() < truth ? 0 : 1, weight: 1 }
  })
