/** What customers' own credentials make of shared capacity: copies of it that are called with them. */
import type { Usable } from "../byok/Usable.ts"
import * as Candidate from "./Candidate.ts"

export interface Copy {
  readonly copy: Candidate.Candidate
  readonly usable: Usable
}

/** One for each of the credentials that are for it. */
export const copiesOf = (
  shared: Candidate.Candidate,
  brought: ReadonlyArray<Usable>
): ReadonlyArray<Copy> =>
  brought.flatMap((usable) => {
    const { credential, models } = usable
    const { model, provider } = shared.endpoint
    if (!models.has(model) || credential.provider !== provider.toLowerCase()) return []
    const { declared_zdr, id, is_fallback, sort_order } = credential
    const copy = Candidate.withCredential(shared, {
      id,
      isFallback: is_fallback,
      sortOrder: sort_order,
      declaredZdr: declared_zdr
    })
    return [{ copy, usable }]
  })
