/** A candidate with the capability of its upstream, before a customer's credential is decrypted. */
import { identity } from "effect/Function"
import type { UsableCredential } from "../tenants/byok/UsableCredential.ts"
import type { Configuration } from "../engine/catalog/Configuration.ts"
import type { Model } from "../engine/catalog/model/Model.ts"
import { servesOperation } from "../engine/catalog/model/servesOperation.ts"
import * as Candidate from "./Candidate.ts"
import type { CandidateCache } from "./CandidateCache.ts"
import type { PlanMemory } from "./plan/PlanMemory.ts"
import type { RouteTarget } from "./RouteWork.ts"
import type { CapabilityTraits, RouteQuery } from "./RouteQuery.ts"

export interface CandidateTarget<Capability> extends Omit<RouteTarget<Capability>, "credential"> {
  /** The customer's own credential for the call; absent: the host's. */
  readonly usable?: UsableCredential
}

/** Every endpoint that offers an operation, and a copy for each usable credential. */
export interface CandidateTargets<Capability> {
  /** By the id of the candidate. */
  readonly byId: ReadonlyMap<string, CandidateTarget<Capability>>
  readonly candidates: ReadonlyArray<Candidate.Candidate>
  /** Plans for them; absent: they are of one request. */
  readonly plans?: PlanMemory
}

export const buildTargets = <Capability extends CapabilityTraits>(
  query: RouteQuery<Capability>,
  getCandidates: CandidateCache["Service"]["get"],
  {
    configuration,
    isAdmitted,
    models,
    usableCredentials
  }: {
    readonly configuration: Configuration
    readonly models: ReadonlyArray<Model>
    readonly usableCredentials: ReadonlyArray<UsableCredential>
    /** Whether an endpoint may serve one of the requested models; absent: every endpoint of the models may. */
    readonly isAdmitted?: ((candidate: Candidate.Candidate) => boolean) | undefined
  }
): CandidateTargets<Capability> => {
  const { allowedIds, priceCandidate = identity } = query
  const isAllowed = ({ id }: Candidate.Candidate) => allowedIds?.has(id) ?? true
  const targets = new Map<string, CandidateTarget<Capability>>()
  for (const model of models) {
    if (!servesOperation(model, query.operation)) continue
    for (const shared of getCandidates(model, configuration, query)) {
      if (isAdmitted !== undefined && !isAdmitted(shared)) continue
      const candidate = priceCandidate(shared)
      const upstream = configuration.upstreams.get(candidate.endpoint.provider)
      const capability = upstream === undefined ? undefined : query.capability(upstream)
      if (capability === undefined) continue
      if (isAllowed(candidate)) targets.set(candidate.id, { candidate, capability })
      if (usableCredentials.length === 0 || capability.ignoresCredentials === true) continue
      for (const { candidate: copy, usable } of makeByokCandidates(candidate, usableCredentials)) {
        if (isAllowed(copy)) targets.set(copy.id, { candidate: copy, capability, usable })
      }
    }
  }
  return { byId: targets, candidates: Array.from(targets.values(), ({ candidate }) => candidate) }
}

/** Copies of a shared candidate, one for each credential that applies to it. */
export const makeByokCandidates = (
  shared: Candidate.Candidate,
  usableCredentials: ReadonlyArray<UsableCredential>
) =>
  usableCredentials.flatMap((usable) => {
    const { credential, models } = usable
    const { model, provider } = shared.endpoint
    if (!models.has(model) || credential.provider !== provider.toLowerCase()) return []
    const candidate = Candidate.withCredential(shared, {
      id: credential.id,
      isFallback: credential.is_fallback,
      sortOrder: credential.sort_order,
      declaredZdr: credential.declared_zdr
    })
    return [{ candidate, usable }]
  })
