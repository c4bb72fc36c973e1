/** How a Decision asks for escalation: in the fields of this API, and in the fields of the Vercel AI Gateway. */
import * as Schema from "effect/Schema"

const Probability = Schema.Finite.check(
  Schema.isGreaterThanOrEqualTo(0),
  Schema.isLessThanOrEqualTo(1)
)
const Model = Schema.NonEmptyString

const ProbabilityRange = Schema.Tuple([Probability, Probability]).check(
  Schema.makeFilter(
    ([from, to]: readonly [number, number]) => from <= to || "the smaller number first"
  )
)

/** Asks unsure questions again. Exactly one of `confidence_below`, `probability_between` and `target`. */
export const EscalateRequest = Schema.Struct({
  /** The model to ask again, or several in order of preference. */
  to: Schema.Union([Model, Schema.NonEmptyArray(Model)]),
  /**
   * Asks a question again when its answer has less confidence, 0 to 1; the confidence of a yes/no question is |2p - 1|.
   */
  confidence_below: Schema.optionalKey(Probability),
  /** Asks a yes/no question again whose probability of yes is in this range, both ends included. */
  probability_between: Schema.optionalKey(ProbabilityRange),
  /** The only question that may be asked again; default: all. */
  question: Schema.optionalKey(Schema.String),
  /** Derives the confidence from labelled answers, or from the latest answers. Exactly one of the two. */
  target: Schema.optionalKey(
    Schema.Struct({
      /** The share of the accuracy of the other model to keep, such as 0.98. */
      relative_accuracy: Schema.optionalKey(Probability),
      /** The greatest share of the questions to ask again, such as 0.2. */
      max_share: Schema.optionalKey(Probability)
    })
  )
})
export type EscalateRequest = typeof EscalateRequest.Type

const question = Schema.optionalKey(Schema.NonEmptyString.check(Schema.isMaxLength(256)))

/** A condition in the form of the Vercel AI Gateway: one of five shapes. */
export type WhenCondition =
  | { readonly question?: string; readonly confidenceBelow: number }
  | { readonly question?: string; readonly probabilityBetween: readonly [number, number] }
  | { readonly any: ReadonlyArray<WhenCondition> }
  | { readonly all: ReadonlyArray<WhenCondition> }
  | {
      readonly atLeast: {
        readonly count: number
        readonly conditions: ReadonlyArray<WhenCondition>
      }
    }

const maxListedConditions = 20

const Conditions = Schema.Array(
  Schema.suspend((): Schema.Codec<WhenCondition> => WhenCondition)
).check(Schema.isMinLength(1), Schema.isMaxLength(maxListedConditions))

export const WhenCondition: Schema.Codec<WhenCondition> = Schema.Union([
  Schema.Struct({ question, confidenceBelow: Probability }),
  Schema.Struct({ question, probabilityBetween: ProbabilityRange }),
  Schema.Struct({ any: Conditions }),
  Schema.Struct({ all: Conditions }),
  Schema.Struct({
    atLeast: Schema.Struct({
      count: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
      conditions: Conditions
    })
  })
]).annotate({
  identifier: "DecisionFallbackCondition",
  expected:
    "a condition: { question?, confidenceBelow }, { question?, probabilityBetween }, { any }, { all } or { atLeast: { count, conditions } }"
})

const ConditionalModel = Schema.Struct({ model: Model, when: WhenCondition })

/** Models that answer when the first fails; the first may be a condition instead, and then answers unsure questions. */
export const DecisionModels = Schema.Array(
  Schema.Union([Model, ConditionalModel]).annotate({
    expected: "the name of a model, or { model, when }"
  })
)
export type DecisionModels = typeof DecisionModels.Type
