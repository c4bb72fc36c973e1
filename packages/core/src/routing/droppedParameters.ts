/** The parameters of a request that an endpoint is not sent, because its list does not have them. */
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
  { parameters, tier }: Demand
): ReadonlyArray<Dropped> => {
  if (parameters.length === 0) return []
  return candidates.flatMap((candidate) => {
    const { endpoint } = candidate
    if (endpoint.supportedParameters === undefined) return []
    const dropped = parameters.filter((name) => takes(endpoint, name, tier) === false)
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
