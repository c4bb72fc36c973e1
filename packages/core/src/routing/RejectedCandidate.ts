/** Candidates a plan leaves out or moves back, with every reason why. */
import type { Candidate } from "./Candidate.ts"
import type { Demotion, Exclusion, Reason } from "./Reason.ts"

export interface RejectedCandidate {
  readonly candidate: Candidate
  /** Every rule it fails; never empty. */
  readonly reasons: ReadonlyArray<Reason<Exclusion>>
}

export interface DemotedCandidate {
  readonly candidate: Candidate
  /** What moved it behind the others; never empty. */
  readonly reasons: ReadonlyArray<Reason<Demotion>>
}
