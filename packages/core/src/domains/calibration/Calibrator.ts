/** What calibrates the answers of one Decision. */
import type { LabelableAnswer } from "../../engine/observability/generations/LabelableAnswer.ts"
import type { Answers, AppliedMap } from "../../questions/Answer.ts"
import type { Questions } from "../../questions/Question.ts"
import type { DecisionReply } from "../../engine/upstreams/DecisionCapability.ts"
import type { QuestionKind } from "./CalibrationMap.ts"

/** Calibrated answers, what was done to each, and what their record keeps of them. */
export interface CalibratedAnswers {
  readonly answers: Answers
  readonly applied: Readonly<Record<string, AppliedMap>>
  readonly labelable: ReadonlyArray<LabelableAnswer>
}

/** The keyed hashes of a question that can be labelled. */
export type QuestionHashes = Pick<LabelableAnswer, "key" | "labels" | "name">

/** Calibrates the answers of one Decision; made before it is routed. */
export interface Calibrator {
  /** By the names of questions. Questions that are too large to be labelled are missing. */
  readonly hashes: ReadonlyMap<string, QuestionHashes>
  /** The version of the maps it applies. */
  readonly version: number
  /** The calibrated probabilities of one answer of `reply` as its label will have them. */
  readonly toStoredProbabilities: (
    kind: QuestionKind,
    name: string,
    reply: DecisionReply,
    model: string
  ) => ReadonlyArray<number>
  /**
   * `answers`: the answers derived from `reply`. `model`: the model that answered. `coverage`: the coverage of
   * prediction sets; absent or undefined: no prediction sets.
   */
  readonly calibrate: (
    questions: Questions,
    answers: Answers,
    reply: DecisionReply,
    model: string,
    coverage?: number
  ) => CalibratedAnswers
}
