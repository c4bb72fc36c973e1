/** Why nobody took a job, in words for whoever asked for the video. */
import { smallestRelaxation } from "../routing/relaxation.ts"
import type { RoutingError } from "../routing/Routing.ts"

/** No secrets: what upstreams said was rid of them. */
export const whyFailed = (error: RoutingError): string => {
  switch (error._tag) {
    case "AttemptsFailed": {
      const { candidate, failure } = error.attempts.at(-1) ?? error.attempts[0]
      const said = `${candidate.providerName}: ${failure?.message ?? "no answer"}`
      return error.attempts.length === 1
        ? `Provider returned error: ${said}`
        : `All ${error.attempts.length} attempts failed; the last one: ${said}`
    }
    case "ContextLengthExceeded":
    case "NoEndpoints": {
      const rules = smallestRelaxation(error.rejected).map(({ rule }) => rule)
      return `No provider may make it any more${rules.length === 0 ? "" : `: ${rules.join(", ")}`}`
    }
    case "ModelNotFound":
    case "WrongOperation":
      return `Nobody makes videos with ${error.model} any more`
    case "LimitExceeded":
    case "OutOfTime":
      return "There was no time or no money left to submit it"
  }
}
