/** Explains to the caller why no provider accepted a job. */
import { findSmallestRelaxation } from "../../../routing/plan/findSmallestRelaxation.ts"
import type { RoutingError } from "../../../routing/Routing.ts"

/** Contains no secrets, because upstream messages are redacted before. */
export const toFailureMessage = (error: RoutingError): string => {
  switch (error._tag) {
    case "AttemptsFailed": {
      const { candidate, failure } = error.attempts.at(-1) ?? error.attempts[0]
      const message = `${candidate.providerName}: ${failure?.message ?? "no answer"}`
      return error.attempts.length === 1
        ? `Provider returned error: ${message}`
        : `All ${error.attempts.length} attempts failed; the last one: ${message}`
    }
    case "ContextLengthExceeded":
    case "NoEndpoints": {
      const rules = findSmallestRelaxation(error.rejected).map(({ rule }) => rule)
      return `No provider is available any more${rules.length === 0 ? "" : `: ${rules.join(", ")}`}`
    }
    case "ModelNotFound":
    case "WrongOperation":
      return `The model ${error.model} is not available for videos any more`
    case "ContentBlocked":
      return `Request blocked by content filter: ${error.label}`
    case "LimitExceeded":
    case "DeadlineExceeded":
    case "EndpointBusy":
    case "RateLimited":
      return "There was no time or no money left to submit it"
  }
}
