/** Selects the parameters of a request that an endpoint supports. */
import {
  type SupportedParameters,
  includesParameter
} from "../engine/catalog/endpoint/SupportedParameters.ts"
import { selectFields } from "./parseRequest.ts"

/** All when the endpoint has no list of parameters. */
export const selectSupported = (
  parameters: Readonly<Record<string, unknown>>,
  supported: SupportedParameters
): Readonly<Record<string, unknown>> =>
  supported === undefined
    ? parameters
    : selectFields(parameters, (name) => includesParameter(supported, name) === true)
