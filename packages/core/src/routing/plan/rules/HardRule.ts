/** What a candidate must satisfy to be tried at all. */
import type { Candidate } from "../../Candidate.ts"
import type { Exclusion } from "../../Reason.ts"

/** One active rule: undefined when the candidate passes, else what was found. */
export interface HardRule {
  readonly rule: Exclusion
  readonly source: string
  readonly wanted: string
  readonly findViolation: (candidate: Candidate) => string | undefined
}

/** The source of rules that the request sets. */
export const requestSource = "request"
