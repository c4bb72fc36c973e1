/** Whether an endpoint supports a parameter of a request. */
import type { Endpoint } from "../../catalog/Endpoint.ts"
import { includesParameter } from "../../catalog/SupportedParameters.ts"
import type { Requirements } from "../Requirements.ts"

/**
 * Undefined where nobody says: then it is passed on. A service tier is taken by its own endpoints too, which need
 * not name the parameter.
 */
export const supportsParameter = (
  { supportedParameters, tier }: Endpoint,
  parameter: string,
  requestedTier: Requirements["tier"]
): boolean | undefined =>
  (parameter === "service_tier" && tier === requestedTier) ||
  includesParameter(supportedParameters, parameter)
