/** When an answer is not sure enough, and which models answer its question instead. */
import type * as Arr from "effect/Array"

/** A condition on the answers of the first model. */
export type EscalationCondition =
  | {
      readonly type: "confidence"
      /** Absent: every question that `coversNoul` allows. */
      readonly question?: string
      /** 0 to 1. */
      readonly below: number
      /** Whether it covers yes/no questions, whose confidence is |2p - 1|. */
      readonly coversNoul: boolean
    }
  | {
      readonly type: "probability"
      /** Absent: every yes/no question. */
      readonly question?: string
      /** The smallest and the greatest probability of yes at which the answer is not sure, 0 to 1. */
      readonly between: readonly [from: number, to: number]
    }
  | {
      readonly type: "group"
      /** How many of the conditions must hold. */
      readonly atLeast: number
      readonly conditions: ReadonlyArray<EscalationCondition>
    }

/** A goal from which the condition is derived. */
export type EscalationTarget =
  /** The share of the accuracy of the other model to keep, 0 to 1. */
  | { readonly type: "relative_accuracy"; readonly share: number }
  /** The greatest share of the questions to ask again, 0 to 1. */
  | { readonly type: "max_share"; readonly share: number }

/** The escalation that a Decision asks for. */
export interface Escalation {
  /** The models that are asked again, in order; they never escalate. */
  readonly to: Arr.NonEmptyReadonlyArray<string>
  /** The only question that may be asked again, with a target; absent: all. */
  readonly question?: string
  readonly rule: EscalationCondition | EscalationTarget
}

export const isTarget = (rule: Escalation["rule"]): rule is EscalationTarget =>
  rule.type === "relative_accuracy" || rule.type === "max_share"
