/** Which limits of a caller the cost of an attempt counts under. */
import { memoize } from "effect/Function"
import type { Limit } from "../../engine/ledger/Limit.ts"
import { type Candidate, isByok } from "../Candidate.ts"

/** The limits that an attempt at the candidate counts under. */
export const selectLimits = (
  candidate: Candidate,
  limits: ReadonlyArray<Limit>
): ReadonlyArray<Limit> => {
  const counted = isByok(candidate) ? filterByokLimits(limits) : limits
  return counted.some(isOfCandidates)
    ? counted.filter((limit) => isCounted(candidate, limit))
    : counted
}

/** Whether the limit counts some endpoints alone, so that others may serve when it is exhausted. */
export const isOfCandidates = ({ scope }: Limit): boolean =>
  scope?.model !== undefined || scope?.provider !== undefined

/** Whether the model and the provider of the candidate are those that the limit counts. */
export const isCounted = (
  { canonicalModel, endpoint, providerNames }: Candidate,
  { scope }: Limit
): boolean => {
  if (scope === undefined) return true
  const { model, provider } = scope
  return (
    (model === undefined ||
      endpoint.model.toLowerCase() === model ||
      canonicalModel?.toLowerCase() === model) &&
    (provider === undefined || providerNames.includes(provider))
  )
}

/**
 * Costs that customers pay their providers themselves count only under limits that include them. Memoized, because requests
 * of one caller have the same limits.
 */
const filterByokLimits = memoize((limits: ReadonlyArray<Limit>) =>
  limits.filter(({ countsByok }) => countsByok)
)
