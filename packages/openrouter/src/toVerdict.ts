/** Converts a native answer to a verdict: probabilities in option order, with the values the upstream derived. */
import { listOptions, type Question, type Verdict } from "@signalbox/core/upstream"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"

/** The verdict of `answer` on `question`, or the problem with it. */
export const toVerdict = (question: Question, answer: unknown): Result.Result<Verdict, string> => {
  switch (question.type) {
    case "noul":
      return Option.match(decodeNoul(answer), {
        onNone: () => Result.fail("it is no noul between 0 and 1"),
        onSome: ({ noul }) => Result.succeed({ weights: [noul, 1 - noul] })
      })
    case "choice": {
      const read = Option.getOrUndefined(decodeChoice(answer))
      if (read === undefined) return Result.fail("it is no choice")
      const labels = Object.keys(question.criteria)
      const chosen = labels.indexOf(read.choice)
      if (chosen === -1) return Result.fail("its choice is not a label of the question")
      const { choice, confidence, probabilities } = read
      const weights =
        probabilities === undefined
          ? labels.map((_, i) => (i === chosen ? 1 : 0))
          : toOrderedWeights(labels, probabilities)
      if (weights === undefined)
        return Result.fail("its probabilities are no distribution over the labels")
      return Result.succeed({ weights, native: { choice, ...toConfidence(confidence) } })
    }
    case "score": {
      const read = Option.getOrUndefined(decodeScore(answer))
      const top = question.criteria.length - 1
      if (read === undefined || read.score > top) {
        return Result.fail(`it is no score between 0 and ${top}`)
      }
      const { confidence, probabilities, score } = read
      const weights =
        probabilities === undefined
          ? question.criteria.map((_, level) => Math.max(0, 1 - Math.abs(score - level)))
          : toOrderedWeights(
              listOptions(question).map(({ label }) => label),
              probabilities
            )
      if (weights === undefined)
        return Result.fail("its probabilities are no distribution over the levels")
      return Result.succeed({ weights, native: { score, ...toConfidence(confidence) } })
    }
  }
}

const toConfidence = (confidence: number | undefined): { readonly confidence?: number } =>
  confidence === undefined ? {} : { confidence }

/**
 * The numbers of exactly these keys, if they are a distribution. Their sum must be 1, within the error of rounding each
 * to two decimals and at most 0.05, or they are all 0.
 */
const toOrderedWeights = (
  keys: ReadonlyArray<string>,
  probabilities: Readonly<Record<string, number>>
): ReadonlyArray<number> | undefined => {
  if (
    Object.keys(probabilities).length !== keys.length ||
    !keys.every((key) => Object.hasOwn(probabilities, key))
  ) {
    return undefined
  }
  const weights = keys.map((key) => probabilities[key]!)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return total === 0 || Math.abs(total - 1) <= Math.min(0.05, 1e-6 + 0.005 * keys.length)
    ? weights
    : undefined
}

const AtLeastZero = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const Unit = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

const NoulAnswer = Schema.Struct({ type: Schema.Literal("noul"), noul: Unit })

const derivedFields = {
  confidence: Schema.optionalKey(Unit),
  probabilities: Schema.optionalKey(Schema.Record(Schema.String, AtLeastZero))
}

const ChoiceAnswer = Schema.Struct({
  type: Schema.Literal("choice"),
  choice: Schema.String,
  ...derivedFields
})

const ScoreAnswer = Schema.Struct({
  type: Schema.Literal("score"),
  score: AtLeastZero,
  ...derivedFields
})

// Compiled, because every request needs them.
for (const { ast } of [NoulAnswer, ChoiceAnswer, ScoreAnswer]) SchemaJITCompiler.enable(ast)
const decodeNoul = Schema.decodeUnknownOption(NoulAnswer)
const decodeChoice = Schema.decodeUnknownOption(ChoiceAnswer)
const decodeScore = Schema.decodeUnknownOption(ScoreAnswer)
