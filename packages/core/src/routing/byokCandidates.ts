/** What customers' own credentials make of shared capacity: copies of it that are called with them. */
import type { UsableCredential } from "../byok/UsableCredential.ts"
import * as Candidate from "./Candidate.ts"

export interface ByokCandidate {
  readonly candidate: Candidate.Candidate
  readonly usable: UsableCredential
}

/** One for each of the credentials that are for it. */
export const makeByokCandidates = (
  shared: Candidate.Candidate,
  usableCredentials: ReadonlyArray<UsableCredential>
): ReadonlyArray<ByokCandidate> =>
  usableCredentials.flatMap((usable) => {
    const { credential, models } = usable
    const { model, provider } = shared.endpoint
    if (!models.has(model) || credential.provider !== provider.toLowerCase()) return []
    const { declared_zdr, id, is_fallback, sort_order } = credential
    const candidate = Candidate.withCredential(shared, {
      id,
      isFallback: is_fallback,
      sortOrder: sort_order,
      declaredZdr: declared_zdr
    })
    return [{ candidate, usable }]
  })
