/** Who could be asked for a request, before its credential is opened. */
import type { Usable } from "../byok/Usable.ts"
import type { Configuration, Resolved } from "../catalog/Configuration.ts"
import type { CandidatesOf } from "./candidatesOf.ts"
import { copiesOf } from "./copiesOf.ts"
import type { Offer, Query, Target } from "./Query.ts"

export interface Prospect<Capability> extends Omit<Target<Capability>, "credential"> {
  /** The customer's own credential it is asked with; absent: the host's. */
  readonly usable?: Usable
}

/** By the id of its candidate: whoever offers the operation, and its copies on credentials it heeds. */
export const prospectsOf = <Capability extends Offer>(
  query: Query<Capability>,
  candidatesOf: CandidatesOf,
  among: {
    readonly configuration: Configuration
    readonly resolved: ReadonlyArray<Resolved>
    readonly brought: ReadonlyArray<Usable>
  }
): ReadonlyMap<string, Prospect<Capability>> => {
  const { brought, configuration, resolved } = among
  const prospects = new Map<string, Prospect<Capability>>()
  for (const { model } of resolved) {
    for (const candidate of candidatesOf(model, configuration, query)) {
      const upstream = configuration.upstreams.get(candidate.endpoint.provider)
      const capability = upstream === undefined ? undefined : query.capability(upstream)
      if (capability === undefined) continue
      prospects.set(candidate.id, { candidate, capability })
      if (brought.length === 0 || capability.ignoresCredentials === true) continue
      for (const { copy, usable } of copiesOf(candidate, brought)) {
        prospects.set(copy.id, { candidate: copy, capability, usable })
      }
    }
  }
  return prospects
}
