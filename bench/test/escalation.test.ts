/** Escalation reaches its goals on answers of real models; `node bench/escalation.ts` prints the figures. */
import { expect, test } from "vitest"
import { measureEscalation } from "../science/escalationGoals.ts"

test("escalated answers of models to MMLU-Pro meet every goal", () => {
  const { goals } = measureEscalation()
  expect(goals).toHaveLength(6)
  expect(goals.filter(({ isMet }) => !isMet)).toEqual([])
})
