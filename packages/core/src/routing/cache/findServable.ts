/** Decides whether a caller may use the cache, and whether an answer of an endpoint may be given to it. Pure. */
import { isByok, type Candidate } from "../Candidate.ts"
import type { Exclusion, RejectedCandidate } from "../Reason.ts"
import type { Constraint } from "../restrictions/Constraint.ts"
import type { CapabilityTraits, PlannedRoute, RouteQuery } from "../RouteQuery.ts"

/**
 * Nothing is stored or served where zero data retention is required, by the request, the account or a guardrail, where a
 * guardrail forbids storing or filters answers, or where a customer's own credential would pay first.
 */
export const mayUseCache = (
  { chargedTo, filtered, preferences }: RouteQuery<CapabilityTraits>,
  { constraints, models, plan }: PlannedRoute
): boolean => {
  if (chargedTo !== undefined || preferences.zdr === true) return false
  // What a filter does with an answer, and what it puts back, is of one caller.
  if (filtered?.answers !== undefined) return false
  const [first] = plan.ordered
  if (first !== undefined && isByok(first)) return false
  return !constraints.some((each) => forbidsStoring(each, models))
}

const forbidsStoring = (
  { noStore, zdr, zdrAuthors }: Constraint,
  models: ReadonlyArray<string>
): boolean =>
  noStore === true ||
  zdr === true ||
  (zdrAuthors !== undefined &&
    models.some((model) => {
      const [author = ""] = model.split("/")
      return zdrAuthors.authors.includes(author) !== zdrAuthors.isAllBut
    }))

/**
 * The candidate of the endpoint that answered, if every restriction of this caller allows it now. That its provider is down or
 * limits requests is no reason against an answer that is there, nor that another endpoint is the best of the moment.
 */
export const findServable = (
  { preferences: { order } }: RouteQuery<CapabilityTraits>,
  { plan }: PlannedRoute,
  endpoint: string
): Candidate | undefined => {
  // With an order, the rule means that others are not in it.
  const passing = order == null || order.length === 0 ? momentary : healthRules
  const isRejectedForNow = ({ reasons }: RejectedCandidate): boolean =>
    reasons.every(({ rule }) => passing.has(rule))
  return (
    plan.ordered.find((candidate) => isShared(candidate, endpoint)) ??
    plan.rejected.find((each) => isShared(each.candidate, endpoint) && isRejectedForNow(each))
      ?.candidate
  )
}

const isShared = (candidate: Candidate, endpoint: string): boolean =>
  candidate.endpoint.id === endpoint && !isByok(candidate)

const healthRules: ReadonlySet<Exclusion> = new Set([
  "breaker",
  "rate_limited",
  "drained",
  "disabled"
])
const momentary: ReadonlySet<Exclusion> = new Set([...healthRules, "allow_fallbacks"])
