/** What a successful attempt at a Decision brings home. */
import type { Answers } from "../questions/Answer.ts"
import type { DecisionReply } from "../upstreams/DecisionCapability.ts"

export interface CheckedReply {
  /** Checked, and completed by the formulas of `questions/`. */
  readonly answers: Answers
  readonly reply: DecisionReply
}
