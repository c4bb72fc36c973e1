/** Whether an endpoint takes a parameter of a request. */
import type { Endpoint } from "../catalog/Endpoint.ts"
import { supports } from "../catalog/supports.ts"
import type { Demand } from "./Demand.ts"

/**
 * Undefined where nobody says: then it is passed on. A service tier is taken by its own endpoints too, which need
 * not name the parameter.
 */
export const takes = (
  { supportedParameters, tier }: Endpoint,
  parameter: string,
  asked: Demand["tier"]
): boolean | undefined =>
  (parameter === "service_tier" && tier === asked) || supports(supportedParameters, parameter)
