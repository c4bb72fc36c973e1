/** A Decisions upstream without key and network, which counts words. */
import type { Question } from "@signalbox/core"
import { UpstreamFailure } from "@signalbox/core/upstream"
import {
  type DecisionCall,
  type DecisionCapability,
  type DecisionReply,
  countOptions
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { computeOverlapWeights } from "./computeOverlapWeights.ts"
import { extractWords } from "./extractWords.ts"

/**
 * `overlap-1` compares whole words, `overlap-2` their first five letters, so that "refunded" matches "refund". It is
 * deterministic and fast, but it understands nothing.
 */
export const wordOverlap: DecisionCapability = {
  decide: (call) => {
    const letters = lettersByModel.get(call.model)
    return letters === undefined
      ? Effect.fail(new UpstreamFailure({ kind: "not_served", detail: `no model ${call.model}` }))
      : Effect.sync(() => weigh(call, letters))
  },
  estimateWorstCase: (call) => ({
    inputTokens: call.contentBytes,
    outputTokens: options(call)
  })
}

const lettersByModel: ReadonlyMap<string, number> = new Map([
  ["overlap-1", Number.POSITIVE_INFINITY],
  ["overlap-2", 5]
])

const weigh = (call: DecisionCall, letters: number): DecisionReply => {
  const wordsOf = (value: unknown) =>
    new Set(Array.from(extractWords(value), (word) => word.slice(0, letters)))
  const state = wordsOf(call.state)
  return {
    verdicts: new Map(
      Object.entries(call.questions).map(([name, question]) => [
        name,
        { weights: computeOverlapWeights(state, toTexts(question).map(wordsOf)) }
      ])
    ),
    // The usual estimate of four bytes a token.
    usage: { inputTokens: Math.ceil(call.contentBytes / 4), outputTokens: options(call) },
    method: "word_overlap"
  }
}

const options = ({ questions }: DecisionCall): number =>
  Object.values(questions).reduce((sum, question) => sum + countOptions(question), 0)

/** The text to compare for each option: its label and guidance. The words of a yes/no question without criteria count for yes. */
const toTexts = (question: Question): ReadonlyArray<unknown> => {
  switch (question.type) {
    case "noul":
      return question.criteria === undefined
        ? [question.instructions, null]
        : [question.criteria.true, question.criteria.false]
    case "choice":
      return Object.entries(question.criteria)
    case "score":
      return question.criteria
  }
}
