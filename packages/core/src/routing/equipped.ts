/** Keeps, of each model, the endpoints that take what a request would hardly do without. Source: semantics A1. */
import type { Candidate } from "./Candidate.ts"
import type { Demand } from "./Demand.ts"
import type { Rejected } from "./Rejected.ts"
import { takes } from "./takes.ts"

/**
 * One parameter after the other: where some endpoints of a model take it, or may take it, and others do not, the
 * others are left out. Where none does, all stay, and the parameter is not sent.
 */
export const equipped = (
  candidates: ReadonlyArray<Candidate>,
  { preferred = [], tier }: Demand,
  rejected: Array<Rejected>
): ReadonlyArray<Candidate> => {
  let kept = candidates
  for (const parameter of preferred) {
    const isTaken = ({ endpoint }: Candidate) => mayTake(endpoint, parameter, tier)
    const served = new Set(kept.filter(isTaken).map(({ endpoint }) => endpoint.model))
    const isLacking = (candidate: Candidate) =>
      served.has(candidate.endpoint.model) && !isTaken(candidate)
    for (const candidate of kept.filter(isLacking)) {
      rejected.push({
        candidate,
        reasons: [
          {
            rule: "preferred_parameters",
            source: "request",
            wanted: `${parameter}, which other endpoints of the model take`,
            found:
              candidate.endpoint.supportedParameters === undefined
                ? `nobody says whether it takes ${parameter}`
                : `without ${parameter}`
          }
        ]
      })
    }
    kept = kept.filter((candidate) => !isLacking(candidate))
  }
  return kept
}

/** A tier has a price of its own, which is known of an endpoint that is said to take it. */
const mayTake = (...[endpoint, parameter, tier]: Parameters<typeof takes>): boolean =>
  takes(endpoint, parameter, tier) ?? parameter !== "service_tier"
