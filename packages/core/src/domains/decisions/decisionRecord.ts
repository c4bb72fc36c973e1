/** What the answers of a Decision add to its record. */
import { truncateText } from "../../engine/observability/generations/truncateGeneration.ts"
import type { AnswerFacts } from "../../routing/record/toGeneration.ts"
import type { CheckedReply } from "./DecisionWork.ts"

export const toAnswerFacts = ({
  answers,
  calibrated,
  escalation,
  reply: { id, labelMass, method, model, serviceTier }
}: CheckedReply): AnswerFacts => {
  const facts: { -readonly [K in keyof AnswerFacts]: AnswerFacts[K] } = { model, method }
  if (id !== undefined) facts.upstreamId = truncateText(id)
  if (serviceTier !== undefined) facts.serviceTier = truncateText(serviceTier)
  if (labelMass !== undefined) facts.labelMass = labelMass
  if (calibrated !== undefined) facts.labelable = calibrated.labelable
  if (escalation !== undefined) {
    const { failed, questions, threshold, to } = escalation
    facts.escalation = {
      to: truncateText(to),
      asked: questions.length,
      questions: Object.keys(answers).length,
      ...(failed === undefined ? undefined : { failed }),
      ...(threshold === undefined || threshold === Infinity ? undefined : { threshold })
    }
  }
  return facts
}
