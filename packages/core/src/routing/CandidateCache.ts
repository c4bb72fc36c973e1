/** Caches the candidates that the endpoints of a model give for an operation. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Configuration } from "../engine/catalog/Configuration.ts"
import type { Model } from "../engine/catalog/model/Model.ts"
import type { Upstream } from "../engine/upstreams/Upstream.ts"
import * as Candidate from "./Candidate.ts"
import type { CapabilityTraits } from "./RouteQuery.ts"
import { indexProviderEndpoints } from "./ServedPrices.ts"

/** The part of a query that candidates depend on. */
export interface CapabilityQuery {
  readonly operation: string
  readonly capability: (upstream: Upstream) => CapabilityTraits | undefined
}

type GetCandidates = (
  model: Model,
  configuration: Configuration,
  query: CapabilityQuery
) => ReadonlyArray<Candidate.Candidate>

/** Builds the candidates of a model once for each operation: models are immutable. */
export class CandidateCache extends Context.Service<
  CandidateCache,
  { readonly get: GetCandidates }
>()("@signalbox/core/routing/CandidateCache") {
  static readonly layer = Layer.sync(CandidateCache, () => {
    const byOperation = new Map<string, WeakMap<Model, ReadonlyArray<Candidate.Candidate>>>()
    return {
      get: (model, configuration, query) => {
        let byModel = byOperation.get(query.operation)
        if (byModel === undefined) {
          byModel = new WeakMap()
          byOperation.set(query.operation, byModel)
        }
        let candidates = byModel.get(model)
        if (candidates === undefined) {
          candidates = buildCandidates(model, configuration, query)
          byModel.set(model, candidates)
        }
        return candidates
      }
    }
  })
}

const buildCandidates: GetCandidates = (model, configuration, { capability }) =>
  model.endpoints.map((endpoint) => {
    const { upstreams } = configuration
    const providerEndpoints = indexProviderEndpoints(configuration).get(endpoint.provider)
    const upstream = upstreams.get(endpoint.provider)
    const {
      checksParameters,
      dialect: spoken,
      needsOneOf,
      omittedFields,
      reasoningFamily: family,
      refusesPrefill,
      serverFields
    } = (upstream === undefined ? undefined : capability(upstream)) ?? {}
    const dialect = typeof spoken === "function" ? spoken(endpoint.upstreamModel) : spoken
    const reasoningFamily = typeof family === "function" ? family(endpoint.upstreamModel) : family
    return Candidate.make({
      endpoint,
      providerName: upstream?.name ?? endpoint.provider,
      distillable: model.distillable,
      ...(model.card.canonical_slug === model.id
        ? undefined
        : { canonicalModel: model.card.canonical_slug }),
      ...(providerEndpoints === undefined ? undefined : { providerEndpoints }),
      ...(needsOneOf === undefined ? undefined : { needsOneOf }),
      ...(checksParameters === undefined ? undefined : { checksParameters }),
      ...(omittedFields === undefined ? undefined : { omittedFields }),
      ...(serverFields === undefined ? undefined : { serverFields }),
      ...(dialect === undefined ? undefined : { dialect }),
      ...(reasoningFamily === undefined ? undefined : { reasoningFamily }),
      ...(model.card.architecture.input_modalities.some((input) => input !== "text")
        ? { inputs: model.card.architecture.input_modalities }
        : undefined),
      ...findEfforts(model),
      ...(refusesPrefill?.(endpoint.upstreamModel) === true
        ? { refusesPrefill: true as const }
        : undefined)
    })
  })

/** Null in the list of a card stands for a model that may be asked for no effort. */
const findEfforts = ({
  card: { reasoning }
}: Model): { readonly efforts: ReadonlyArray<string> } | undefined => {
  const efforts = reasoning?.supported_efforts?.filter((effort) => effort !== null)
  return efforts === undefined || efforts.length === 0 ? undefined : { efforts }
}
