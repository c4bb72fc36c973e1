/**
 * Finds what an endpoint is not sent: parameters that it does not list, or that no endpoint is sent, fields of another API,
 * and reasoning of other providers.
 */
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import { includesParameter } from "../../engine/catalog/endpoint/SupportedParameters.ts"
import { type Candidate, takesField } from "../Candidate.ts"
import type { RejectedCandidate } from "../Reason.ts"
import type { NativeFields, Requirements } from "../Requirements.ts"

/** Parameters that a candidate is not sent; never empty. */
export interface DroppedParameters {
  readonly candidate: Candidate
  readonly parameters: ReadonlyArray<string>
}

/** Candidates without dropped parameters are left out. */
export const findDroppedParameters = (
  candidates: ReadonlyArray<Candidate>,
  {
    compressionFields = [],
    ignoredParameters = [],
    nativeFields,
    parameters,
    reasoningFamilies = [],
    tier
  }: Requirements
): ReadonlyArray<DroppedParameters> => {
  const mayDropAny =
    compressionFields.length > 0 ||
    ignoredParameters.length > 0 ||
    reasoningFamilies.length > 0 ||
    nativeFields !== undefined
  if (parameters.length === 0 && !mayDropAny) return []
  return candidates.flatMap((candidate) => {
    const { endpoint } = candidate
    if (endpoint.supportedParameters === undefined && !mayDropAny) return []
    const refused = parameters.filter((name) => supportsParameter(endpoint, name, tier) === false)
    const dropped = [
      ...refused,
      ...listUnknownFields(candidate, ignoredParameters),
      ...(endpoint.contextLength === undefined
        ? listUnknownFields(candidate, compressionFields)
        : []),
      ...listForeignFields(candidate, nativeFields),
      ...(dropsReasoning(candidate, reasoningFamilies) ? [reasoningDetails] : [])
    ]
    return dropped.length === 0 ? [] : [{ candidate, parameters: dropped }]
  })
}

/** The server of the candidate knows some fields that the router does not do, such as `plugins` with `plugins.1`. */
const listUnknownFields = (
  candidate: Candidate,
  ignored: ReadonlyArray<string>
): ReadonlyArray<string> =>
  candidate.serverFields === undefined
    ? ignored
    : ignored.filter((path) => !takesField(candidate, path))

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

/**
 * For each parameter: when some endpoints of a model support it, or may support it, the others are rejected. When
 * none does, all stay and the parameter is not sent.
 */
export const preferSupporting = (
  candidates: ReadonlyArray<Candidate>,
  { preferredParameters = [], tier }: Requirements,
  rejected: Array<RejectedCandidate>
): ReadonlyArray<Candidate> => {
  let remaining = candidates
  for (const parameter of preferredParameters) {
    const isSupported = ({ endpoint }: Candidate) => maySupport(endpoint, parameter, tier)
    const supportedModels = new Set(
      remaining.filter(isSupported).map(({ endpoint }) => endpoint.model)
    )
    const isLacking = (candidate: Candidate) =>
      supportedModels.has(candidate.endpoint.model) && !isSupported(candidate)
    for (const candidate of remaining.filter(isLacking)) {
      rejected.push({
        candidate,
        reasons: [
          {
            rule: "preferred_parameters",
            source: "request",
            wanted: `${parameter}, which other endpoints of the model take`,
            found:
              candidate.endpoint.supportedParameters === undefined
                ? `unknown whether it supports ${parameter}`
                : `without ${parameter}`
          }
        ]
      })
    }
    remaining = remaining.filter((candidate) => !isLacking(candidate))
  }
  return remaining
}

/** A tier has its own price, so only an endpoint that lists the tier counts as supporting it. */
const maySupport = (
  ...[endpoint, parameter, tier]: Parameters<typeof supportsParameter>
): boolean => supportsParameter(endpoint, parameter, tier) ?? parameter !== "service_tier"
