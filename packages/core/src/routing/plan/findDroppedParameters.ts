/**
 * Finds what an endpoint is not sent: parameters that it does not list, or that no endpoint is sent, fields of another API,
 * and reasoning of other providers.
 */
import type { Candidate } from "../Candidate.ts"
import type { NativeFields, Requirements } from "../Requirements.ts"
import { supportsParameter } from "./supportsParameter.ts"

/** Parameters that a candidate is not sent; never empty. */
export interface DroppedParameters {
  readonly candidate: Candidate
  readonly parameters: ReadonlyArray<string>
}

/** Candidates without dropped parameters are left out. */
export const findDroppedParameters = (
  candidates: ReadonlyArray<Candidate>,
  { ignoredParameters = [], nativeFields, parameters, reasoningFamilies = [], tier }: Requirements
): ReadonlyArray<DroppedParameters> => {
  const mayDropAny =
    ignoredParameters.length > 0 || reasoningFamilies.length > 0 || nativeFields !== undefined
  if (parameters.length === 0 && !mayDropAny) return []
  return candidates.flatMap((candidate) => {
    const { endpoint } = candidate
    if (endpoint.supportedParameters === undefined && !mayDropAny) return []
    const refused = parameters.filter((name) => supportsParameter(endpoint, name, tier) === false)
    const dropped = [
      ...refused,
      ...ignoredParameters,
      ...listForeignFields(candidate, nativeFields),
      ...(dropsReasoning(candidate, reasoningFamilies) ? [reasoningDetails] : [])
    ]
    return dropped.length === 0 ? [] : [{ candidate, parameters: dropped }]
  })
}

const listForeignFields = (
  { dialect = "chat" }: Candidate,
  fields: NativeFields | undefined
): ReadonlyArray<string> => (fields === undefined || dialect === fields.dialect ? [] : fields.names)

/** The field of a message that holds reasoning. */
export const reasoningDetails = "reasoning_details"

const dropsReasoning = ({ reasoningFamily }: Candidate, families: ReadonlyArray<string>): boolean =>
  reasoningFamily !== undefined && families.some((family) => family !== reasoningFamily)

/** Indexes the dropped parameters by the id of the candidate. */
export const indexDroppedParameters = ({
  dropped
}: {
  readonly dropped?: ReadonlyArray<DroppedParameters>
}): ReadonlyMap<string, ReadonlyArray<string>> =>
  dropped === undefined
    ? noDropped
    : new Map(dropped.map(({ candidate, parameters }) => [candidate.id, parameters]))

const noDropped: ReadonlyMap<string, ReadonlyArray<string>> = new Map()
