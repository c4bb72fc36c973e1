/** What the attempts of a request say about one model. */
import { type OutcomeRules, toOutcome } from "../../routing/attempt/toOutcome.ts"
import { type RouteAttempt, sumCost } from "../../routing/attempt/RouteAttempt.ts"
import { type ArmMeasures, toArm } from "./ExperimentMeasures.ts"

/**
 * Undefined when they say nothing about `model`: it was not tried, the caller broke the request off, or the request itself
 * was at fault.
 */
export const toArmMeasures = (
  model: string,
  attempts: ReadonlyArray<RouteAttempt>,
  startedAt: number,
  rules: OutcomeRules
): ArmMeasures | undefined => {
  const own = attempts.filter(({ candidate }) => candidate.endpoint.model === model)
  const last = own.at(-1)
  if (last === undefined) return undefined
  const { result } = toOutcome(last, rules)
  if (result === "ignored") return undefined
  const millis = last.startedAt - startedAt + (last.firstEventMillis ?? last.latencyMillis)
  return toArm(result === "success" ? "answered" : "failed", millis, sumCost(own))
}
