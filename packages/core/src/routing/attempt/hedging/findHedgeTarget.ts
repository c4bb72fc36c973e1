/** Where the second attempt of a request goes: to the endpoint that is expected to answer first. */
import type { HealthSnapshot } from "../../../engine/health/HealthSnapshot.ts"
import type { Candidate } from "../../Candidate.ts"
import type { Plan } from "../../plan/plan.ts"
import {
  makePerformanceEstimator,
  recentLatencyMetric
} from "../../plan/ranking/expectedPerformance.ts"

/**
 * Another endpoint of the same model, without a penalty and with the same credential priority as `first`. Undefined
 * when there is no such endpoint, or when one of the two providers would charge for a whole answer although it is cut
 * off. `isOpen` says which endpoints may be tried; `health` is the current health.
 */
export const findHedgeTarget = (
  { demoted, ordered }: Pick<Plan, "demoted" | "ordered">,
  first: Candidate,
  isOpen: (candidate: Candidate) => boolean,
  health: HealthSnapshot,
  minSamples: number
): Candidate | undefined => {
  if (!first.endpoint.cancels) return undefined
  const estimate = makePerformanceEstimator(ordered, health, recentLatencyMetric, minSamples)
  let best: Candidate | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of ordered) {
    const { endpoint, id } = candidate
    if (
      endpoint.id === first.endpoint.id ||
      endpoint.model !== first.endpoint.model ||
      !endpoint.cancels ||
      toTurn(candidate) !== toTurn(first) ||
      demoted.some(({ candidate: moved }) => moved.id === id) ||
      !isOpen(candidate)
    ) {
      continue
    }
    const inFlight = health.endpoints[id]?.inFlight ?? 0
    const expected = (estimate(candidate) ?? Number.POSITIVE_INFINITY) * (inFlight + 1)
    if (best === undefined || expected < least) {
      best = candidate
      least = expected
    }
  }
  return best
}

/** Customers' own credentials come before or after shared capacity, never beside it. */
const toTurn = ({ credential }: Candidate): "shared" | "own" | "fallback" =>
  credential === undefined ? "shared" : credential.isFallback ? "fallback" : "own"
