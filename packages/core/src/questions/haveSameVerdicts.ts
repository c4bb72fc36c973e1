/** Whether two sets of answers decide alike. */
import type { Answer, Answers } from "./Answer.ts"

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
