/** Keeps, for each model, the endpoints that support the parameters a request prefers. */
import type { Candidate } from "../Candidate.ts"
import type { Requirements } from "../Requirements.ts"
import type { RejectedCandidate } from "../Reason.ts"
import { supportsParameter } from "./supportsParameter.ts"

/**
 * For each parameter: when some endpoints of a model support it, or may support it, the others are rejected. When
 * none does, all stay and the parameter is not sent.
 */
export const preferSupporting = (
  candidates: ReadonlyArray<Candidate>,
  { preferredParameters = [], tier }: Requirements,
  rejected: Array<RejectedCandidate>
): ReadonlyArray<Candidate> => {
  let remaining = candidates
  for (const parameter of preferredParameters) {
    const isSupported = ({ endpoint }: Candidate) => maySupport(endpoint, parameter, tier)
    const supportedModels = new Set(
      remaining.filter(isSupported).map(({ endpoint }) => endpoint.model)
    )
    const isLacking = (candidate: Candidate) =>
      supportedModels.has(candidate.endpoint.model) && !isSupported(candidate)
    for (const candidate of remaining.filter(isLacking)) {
      rejected.push({
        candidate,
        reasons: [
          {
            rule: "preferred_parameters",
            source: "request",
            wanted: `${parameter}, which other endpoints of the model take`,
            found:
              candidate.endpoint.supportedParameters === undefined
                ? `unknown whether it supports ${parameter}`
                : `without ${parameter}`
          }
        ]
      })
    }
    remaining = remaining.filter((candidate) => !isLacking(candidate))
  }
  return remaining
}

/** A tier has its own price, so only an endpoint that lists the tier counts as supporting it. */
const maySupport = (
  ...[endpoint, parameter, tier]: Parameters<typeof supportsParameter>
): boolean => supportsParameter(endpoint, parameter, tier) ?? parameter !== "service_tier"
