/** The candidates that the endpoints of a model are for an operation. */
import type { Configuration } from "../catalog/Configuration.ts"
import type { Model } from "../catalog/Model.ts"
import type { Upstream } from "../upstreams/Upstream.ts"
import * as Candidate from "./Candidate.ts"
import type { CapabilityTraits } from "./RouteQuery.ts"

/** For what candidates are made. */
export interface CapabilityQuery {
  readonly operation: string
  readonly capability: (upstream: Upstream) => CapabilityTraits | undefined
}

export type GetCandidates = (
  model: Model,
  configuration: Configuration,
  asking: CapabilityQuery
) => ReadonlyArray<Candidate.Candidate>

/** Remembers them: a model never changes, so its candidates are made once for each operation. */
export const makeCandidateCache = (): GetCandidates => {
  const byOperation = new Map<string, WeakMap<Model, ReadonlyArray<Candidate.Candidate>>>()
  return (model, configuration, asking) => {
    let byModel = byOperation.get(asking.operation)
    if (byModel === undefined) {
      byModel = new WeakMap()
      byOperation.set(asking.operation, byModel)
    }
    let candidates = byModel.get(model)
    if (candidates === undefined) {
      candidates = buildCandidates(model, configuration, asking)
      byModel.set(model, candidates)
    }
    return candidates
  }
}

const buildCandidates: GetCandidates = (model, { upstreams }, { capability }) =>
  model.endpoints.map((endpoint) => {
    const upstream = upstreams.get(endpoint.provider)
    const { checksParameters, needsOneOf } =
      (upstream === undefined ? undefined : capability(upstream)) ?? {}
    return Candidate.make({
      endpoint,
      providerName: upstream?.name ?? endpoint.provider,
      distillable: model.distillable,
      ...(model.card.canonical_slug === model.id
        ? undefined
        : { canonicalModel: model.card.canonical_slug }),
      ...(needsOneOf === undefined ? undefined : { needsOneOf }),
      ...(checksParameters === undefined ? undefined : { checksParameters })
    })
  })
