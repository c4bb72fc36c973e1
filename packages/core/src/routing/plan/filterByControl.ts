/** Leaves out candidates that an operator has taken out of service. */
import type { HealthSnapshot } from "../../engine/health/HealthSnapshot.ts"
import type { Candidate } from "../Candidate.ts"
import type { RejectedCandidate } from "../Reason.ts"

/** Unlike a breaker, it may leave no candidate; the others join `rejected`. */
export const filterByControl = (
  candidates: ReadonlyArray<Candidate>,
  { controls }: HealthSnapshot,
  rejected: Array<RejectedCandidate>
): ReadonlyArray<Candidate> => {
  if (controls === undefined) return candidates
  return candidates.filter((candidate) => {
    const { id } = candidate.endpoint
    const state = Object.hasOwn(controls, id) ? controls[id]?.state : undefined
    if (state === undefined || state === "active") return true
    rejected.push({
      candidate,
      reasons: [{ rule: state, source: "operator", wanted: "an endpoint in service", found: state }]
    })
    return false
  })
}
