/** The parameters of a request that an endpoint is not sent: its list does not have them, or no endpoint is sent them. */
import type { Candidate } from "./Candidate.ts"
import type { Demand } from "./Demand.ts"
import { takes } from "./takes.ts"

/** Parameters that a candidate is not sent; never empty. */
export interface Dropped {
  readonly candidate: Candidate
  readonly parameters: ReadonlyArray<string>
}

/** Of those that have any. */
export const droppedParameters = (
  candidates: ReadonlyArray<Candidate>,
  { ignored = [], parameters, tier }: Demand
): ReadonlyArray<Dropped> => {
  if (parameters.length === 0 && ignored.length === 0) return []
  return candidates.flatMap((candidate) => {
    const { endpoint } = candidate
    if (endpoint.supportedParameters === undefined && ignored.length === 0) return []
    const refused = parameters.filter((name) => takes(endpoint, name, tier) === false)
    const dropped = [...refused, ...ignored]
    return dropped.length === 0 ? [] : [{ candidate, parameters: dropped }]
  })
}

/** By the id of the candidate. */
export const droppedById = ({
  dropped = []
}: {
  readonly dropped?: ReadonlyArray<Dropped>
}): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(dropped.map(({ candidate, parameters }) => [candidate.id, parameters]))
