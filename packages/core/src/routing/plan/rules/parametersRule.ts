/** Parameters that an endpoint must support. */
import type { Requirements } from "../../Requirements.ts"
import { supportsParameter } from "../supportsParameter.ts"
import { type HardRule, requestSource } from "./HardRule.ts"

/**
 * All the request supplies, and one of those its operation is done with at the candidate's upstream. Where nobody says
 * what an endpoint takes, only an upstream that ignores no parameter will do.
 */
export const makeParametersRule = ({ parameters, tier }: Requirements): HardRule => ({
  rule: "require_parameters",
  source: requestSource,
  wanted: parameters.length === 0 ? "what the operation is done with" : parameters.join(", "),
  findViolation: ({ checksParameters = false, endpoint, needsOneOf }) => {
    const { supportedParameters } = endpoint
    const missing = parameters.filter(
      (parameter) => !(supportsParameter(endpoint, parameter, tier) ?? checksParameters)
    )
    const hasOne = needsOneOf?.some((name) => supportedParameters?.has(name) ?? checksParameters)
    if (needsOneOf !== undefined && hasOne !== true) missing.push(needsOneOf.join(" or "))
    if (missing.length === 0) return undefined
    const names = missing.join(", ")
    return supportedParameters === undefined
      ? `nobody says whether it takes ${names}`
      : `without ${names}`
  }
})
