/** Who could be asked for a request, before its credential is opened. */
import { identity } from "effect/Function"
import type { UsableCredential } from "../byok/UsableCredential.ts"
import type { Configuration, ResolvedModel } from "../catalog/Configuration.ts"
import type { Candidate } from "./Candidate.ts"
import type { GetCandidates } from "./CandidateCache.ts"
import { makeByokCandidates } from "./byokCandidates.ts"
import type { CapabilityTraits, RouteQuery, OperationTarget } from "./RouteQuery.ts"

export interface CandidateTarget<Capability> extends Omit<
  OperationTarget<Capability>,
  "credential"
> {
  /** The customer's own credential it is asked with; absent: the host's. */
  readonly usable?: UsableCredential
}

/** By the id of its candidate: whoever offers the operation, and its copies on credentials it heeds. */
export const buildTargets = <Capability extends CapabilityTraits>(
  query: RouteQuery<Capability>,
  getCandidates: GetCandidates,
  among: {
    readonly configuration: Configuration
    readonly resolved: ReadonlyArray<ResolvedModel>
    readonly brought: ReadonlyArray<UsableCredential>
  }
): ReadonlyMap<string, CandidateTarget<Capability>> => {
  const { brought, configuration, resolved } = among
  const { allowedIds: named, priceCandidate = identity } = query
  const isAllowed = ({ id }: Candidate) => named?.has(id) ?? true
  const targets = new Map<string, CandidateTarget<Capability>>()
  for (const { model } of resolved) {
    for (const shared of getCandidates(model, configuration, query)) {
      const candidate = priceCandidate(shared)
      const upstream = configuration.upstreams.get(candidate.endpoint.provider)
      const capability = upstream === undefined ? undefined : query.capability(upstream)
      if (capability === undefined) continue
      if (isAllowed(candidate)) targets.set(candidate.id, { candidate, capability })
      if (brought.length === 0 || capability.ignoresCredentials === true) continue
      for (const { candidate: copy, usable } of makeByokCandidates(candidate, brought)) {
        if (isAllowed(copy)) targets.set(copy.id, { candidate: copy, capability, usable })
      }
    }
  }
  return targets
}
