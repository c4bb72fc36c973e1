/** Parses Effect's decisions as the questions of a Decision. */
import type * as Decision from "effect/ai/Decision"
import type * as DecisionModel from "effect/ai/DecisionModel"
import type { Guidance, Question, Questions } from "../questions/Question.ts"

type Answerable = Exclude<Decision.Any, Decision.Locate>

export const parseQuestions = (decisions: Readonly<Record<string, Answerable>>): Questions =>
  Object.fromEntries(
    Object.entries(decisions).map(([name, decision]) => [name, parseQuestion(decision)])
  )

const parseQuestion = (decision: Answerable): Question => {
  const { instructions } = decision
  switch (decision._tag) {
    case "Probability":
      return {
        type: "noul",
        instructions,
        ...(decision.criteria === undefined ? undefined : { criteria: decision.criteria })
      }
    case "Classify":
      return { type: "choice", instructions, criteria: decision.criteria }
    case "Rate": {
      const [lowest, ...levels] = decision.criteria.map(({ description }) => description)
      // `Decision.rate` requires two levels.
      return { type: "score", instructions, criteria: [lowest ?? "", ...levels] }
    }
  }
}

/** Images follow the input, each behind the reference by which the input names it. */
export const parseState = ({
  images = [],
  state
}: Pick<DecisionModel.ProviderOptions, "images" | "state">): Guidance =>
  images.length === 0
    ? typeof state === "string" || (typeof state === "object" && state !== null)
      ? state
      : JSON.stringify(state)
    : [
        state,
        ...images.flatMap(({ image: { data, mediaType }, reference }) => [
          `The image ${reference}:`,
          {
            type: "image_url",
            image_url: {
              url: data instanceof URL ? data.href : `data:${mediaType};base64,${data}`
            }
          }
        ])
      ]
