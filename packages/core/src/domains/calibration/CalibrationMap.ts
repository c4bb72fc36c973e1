/** A calibration map: what turns the probabilities of a model into ones that hold as often as they say. */
import * as Schema from "effect/Schema"
import type { Question } from "../../questions/Question.ts"

/** The kind of a question. */
export type QuestionKind = Question["type"]

/** Leaves probabilities as they are, because no other map was better on held-out labels. */
const NoMap = Schema.Struct({ type: Schema.Literal("none") })

/** Raises each probability to the power `1 / temperature`: above 1 the model was too sure. */
const TemperatureMap = Schema.Struct({
  type: Schema.Literal("temperature"),
  temperature: Schema.Finite
})

/** For yes/no questions: the sigmoid of `slope * logit + intercept`. */
const PlattMap = Schema.Struct({
  type: Schema.Literal("platt"),
  slope: Schema.Finite,
  intercept: Schema.Finite
})

/**
 * Applies `base`, then changes the probability of yes, or of the best option, as the line through `points` says. Points
 * are `[confidence, accuracy]`, both non-decreasing.
 */
const IsotonicMap = Schema.Struct({
  type: Schema.Literal("isotonic"),
  base: Schema.Union([TemperatureMap, PlattMap]),
  points: Schema.Array(Schema.Tuple([Schema.Finite, Schema.Finite]))
})

/** For models that only name an option: its share of right answers; the other options share the rest. */
const DiscreteMap = Schema.Struct({ type: Schema.Literal("discrete"), share: Schema.Finite })

/** What turns the probabilities of a model into calibrated ones. */
export const CalibrationMap = Schema.Union([
  NoMap,
  TemperatureMap,
  PlattMap,
  IsotonicMap,
  DiscreteMap
])
export type CalibrationMap = typeof CalibrationMap.Type

/** A map for each type. */
export type MapOf<Type extends CalibrationMap["type"]> = Extract<
  CalibrationMap,
  { readonly type: Type }
>

export const noMap: MapOf<"none"> = { type: "none" }
