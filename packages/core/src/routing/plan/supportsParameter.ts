/** Whether an endpoint supports a parameter of a request. */
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import { includesParameter } from "../../engine/catalog/endpoint/SupportedParameters.ts"
import type { Candidate } from "../Candidate.ts"
import type { RejectedCandidate } from "../Reason.ts"
import type { Requirements } from "../Requirements.ts"

/**
 * Undefined where unknown: the parameter is passed on. Endpoints of a service tier support it even when they
 * do not list the parameter.
 */
export const supportsParameter = (
  { supportedParameters, tier }: Endpoint,
  parameter: string,
  requestedTier: Requirements["tier"]
): boolean | undefined =>
  (parameter === "service_tier" && tier === requestedTier) ||
  includesParameter(supportedParameters, parameter)

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
