/** Finds the parameters that an endpoint is not sent: it does not list them, or no endpoint is sent them. */
import type { Candidate } from "../Candidate.ts"
import type { Requirements } from "../Requirements.ts"
import { supportsParameter } from "./supportsParameter.ts"

/** Parameters that a candidate is not sent; never empty. */
export interface DroppedParameters {
  readonly candidate: Candidate
  readonly parameters: ReadonlyArray<string>
}

/** Candidates without dropped parameters are left out. */
export const findDroppedParameters = (
  candidates: ReadonlyArray<Candidate>,
  { ignoredParameters = [], parameters, tier }: Requirements
): ReadonlyArray<DroppedParameters> => {
  if (parameters.length === 0 && ignoredParameters.length === 0) return []
  return candidates.flatMap((candidate) => {
    const { endpoint } = candidate
    if (endpoint.supportedParameters === undefined && ignoredParameters.length === 0) return []
    const refused = parameters.filter((name) => supportsParameter(endpoint, name, tier) === false)
    const dropped = [...refused, ...ignoredParameters]
    return dropped.length === 0 ? [] : [{ candidate, parameters: dropped }]
  })
}

/** By the id of the candidate. */
export const indexDroppedParameters = ({
  dropped = []
}: {
  readonly dropped?: ReadonlyArray<DroppedParameters>
}): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(dropped.map(({ candidate, parameters }) => [candidate.id, parameters]))
