/** What an endpoint must understand. */
import type { Demand } from "../Demand.ts"
import { takes } from "../takes.ts"
import { type HardRule, request } from "./HardRule.ts"

/** All the request supplies, and one of those its operation is done with at the candidate's upstream. */
export const parametersRule = ({ parameters, tier }: Demand): HardRule => ({
  rule: "require_parameters",
  source: request,
  wanted: parameters.length === 0 ? "what the operation is done with" : parameters.join(", "),
  fails: ({ endpoint, needsOneOf }) => {
    const missing = parameters.filter((parameter) => !takes(endpoint, parameter, tier))
    const isLacking =
      needsOneOf !== undefined && !needsOneOf.some((name) => endpoint.supportedParameters.has(name))
    if (isLacking) missing.push(needsOneOf.join(" or "))
    return missing.length === 0 ? undefined : `without ${missing.join(", ")}`
  }
})
