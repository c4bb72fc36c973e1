/** What a request would cost at a candidate, in approximate USD: for ranking, never for charging. */
import type { Candidate } from "../Candidate.ts"
import type { Requirements } from "../Requirements.ts"

/** Infinity when a price is unknown, so that the candidate comes last. */
export const estimateCost = ({ price }: Candidate, requirements: Requirements): number => {
  const { completion, image, prompt, request } = price.approximate
  const {
    images = 0,
    inputTokens,
    outputTokens,
    expectedOutputTokens = outputTokens
  } = requirements
  const cost =
    (inputTokens === 0 ? 0 : inputTokens * prompt) +
    (expectedOutputTokens === 0 ? 0 : expectedOutputTokens * completion) +
    (images === 0 ? 0 : images * image) +
    request
  return Number.isNaN(cost) ? Number.POSITIVE_INFINITY : cost
}
