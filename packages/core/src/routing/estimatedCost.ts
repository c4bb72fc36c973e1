/** What a request would cost at a candidate, in approximate USD: for ranking, never for charging. */
import type { Candidate } from "./Candidate.ts"
import type { Demand } from "./Demand.ts"

/** Infinity when a price is unknown, so that such a candidate comes last. Source: semantics A1. */
export const estimatedCost = ({ price }: Candidate, demand: Demand): number => {
  const { completion, prompt: perToken, request } = price.approximate
  const cost =
    (demand.inputTokens === 0 ? 0 : demand.inputTokens * perToken) +
    (demand.outputTokens === 0 ? 0 : demand.outputTokens * completion) +
    request
  return Number.isNaN(cost) ? Number.POSITIVE_INFINITY : cost
}
