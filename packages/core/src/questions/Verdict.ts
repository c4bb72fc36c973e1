/** The raw result of an upstream for one question. */
import type { Answer, Answers } from "./Answer.ts"

/**
 * A distribution over the question's options, in the order of the question: `[yes, no]` for noul,
 * the labels for choice, the levels for score. Weights need not be normalised. `native` has the results of an upstream
 * with native Decisions; they are validated and passed through instead of derived.
 */
export interface Verdict {
  readonly weights: ReadonlyArray<number>
  readonly native?: {
    /** The label chosen (choice). */
    readonly choice?: string
    /** The expected level (score). */
    readonly score?: number
    /** 0..1, by the upstream's own definition. */
    readonly confidence?: number
  }
}

/** The same side of one half, the same choice, or the same nearest level, for every question. */
export const haveSameVerdicts = (one: Answers, other: Answers): boolean =>
  Object.keys(one).every(
    (name) => Object.hasOwn(other, name) && toVerdict(one[name]!) === toVerdict(other[name]!)
  )

const toVerdict = (answer: Answer): boolean | number | string => {
  switch (answer.type) {
    case "noul":
      return answer.noul >= 0.5
    case "choice":
      return answer.choice
    case "score":
      return Math.round(answer.score)
  }
}
