/** Whether an endpoint supports a parameter of a request. */
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import { includesParameter } from "../../engine/catalog/endpoint/SupportedParameters.ts"
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
