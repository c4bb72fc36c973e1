/** Which limits on spending an attempt at a candidate counts under. */
import type { Limit } from "../../ledger/Limit.ts"
import { type Candidate, isByok } from "../Candidate.ts"

/** What customers pay their providers themselves counts where a limit says so. */
export const filterCountedLimits = (
  candidate: Candidate,
  limits: ReadonlyArray<Limit>
): ReadonlyArray<Limit> =>
  isByok(candidate) ? limits.filter(({ countsByok }) => countsByok) : limits
