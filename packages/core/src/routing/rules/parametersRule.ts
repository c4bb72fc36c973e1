/** What an endpoint must understand. */
import { supports } from "../../catalog/supports.ts"
import type { Demand } from "../Demand.ts"
import { type HardRule, request } from "./HardRule.ts"

/** All the request supplies, and one of those its operation is done with at the candidate's upstream. */
export const parametersRule = ({ parameters }: Demand): HardRule => ({
  rule: "require_parameters",
  source: request,
  wanted: parameters.length === 0 ? "what the operation is done with" : parameters.join(", "),
  fails: ({ endpoint: { supportedParameters }, needsOneOf }) => {
    const missing = parameters.filter((parameter) => !supports(supportedParameters, parameter))
    const isLacking =
      needsOneOf !== undefined && !needsOneOf.some((name) => supportedParameters.has(name))
    if (isLacking) missing.push(needsOneOf.join(" or "))
    return missing.length === 0 ? undefined : `without ${missing.join(", ")}`
  }
})
