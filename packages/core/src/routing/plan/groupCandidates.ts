/** Groups the candidates of a plan by the requested models, and says how each group is sorted. */
import type * as Arr from "effect/Array"
import { variants } from "../../engine/catalog/model/Variant.ts"
import type { Candidate } from "../Candidate.ts"
import type { Router } from "../../engine/catalog/model/Model.ts"
import { admits, type RequestedModel } from "../Requirements.ts"
import type { Preferences, ProviderSort } from "../Preferences.ts"

export interface CandidateGroup {
  readonly candidates: ReadonlyArray<Candidate>
  readonly sort: ProviderSort | undefined
  /** Chooses among the models of the candidates; absent: they are of one model, or the request sorts them all. */
  readonly router?: Router
}

/** `partition: none` makes one list over all models; otherwise each model's endpoints stay together. */
export const groupByModel = (
  candidates: ReadonlyArray<Candidate>,
  models: Arr.NonEmptyReadonlyArray<RequestedModel>,
  preferences: Preferences,
  defaultSort: ProviderSort | undefined
): ReadonlyArray<CandidateGroup> => {
  const [primary] = models
  if (models.some(({ router }) => router !== undefined)) {
    return groupByRouter(candidates, models, preferences, defaultSort)
  }
  if (models.length === 1 || isAcrossModels(preferences)) {
    return [{ candidates, sort: resolveSort(preferences, primary) ?? defaultSort }]
  }
  const modelsById = new Map(models.toReversed().map((model) => [model.id, model]))
  return Array.from(new Set(models.map(({ id }) => id)), (id) => ({
    candidates: candidates.filter(({ endpoint }) => endpoint.model === id),
    sort: resolveSort(preferences, modelsById.get(id)!) ?? defaultSort
  }))
}

/**
 * The candidates of a router are one group, in which it orders the models, and the sort of the request the endpoints of each.
 * A candidate that several of the requested models admit belongs to the first of them. The default sort of a workspace is
 * for the endpoints of one model.
 */
const groupByRouter = (
  candidates: ReadonlyArray<Candidate>,
  models: Arr.NonEmptyReadonlyArray<RequestedModel>,
  preferences: Preferences,
  defaultSort: ProviderSort | undefined
): ReadonlyArray<CandidateGroup> => {
  const sortAcross = isAcrossModels(preferences) ? resolveSort(preferences, models[0]) : undefined
  if (sortAcross !== undefined) return [{ candidates, sort: sortAcross }]
  let remaining = candidates
  return models.map((model) => {
    const { router } = model
    const { false: others = [], true: own = [] } = Object.groupBy(remaining, (candidate) =>
      admits(model, candidate) ? "true" : "false"
    )
    remaining = others
    const sort = resolveSort(preferences, model)
    return router === undefined
      ? { candidates: own, sort: sort ?? defaultSort }
      : { candidates: own, sort, router }
  })
}

const isAcrossModels = ({ sort }: Preferences): boolean =>
  typeof sort === "object" && sort !== null && sort.partition === "none"

/**
 * What sorts the endpoints of a model; undefined when the strategy chooses. The preference of
 * the request overrides the suffix of the model.
 */
const resolveSort = (
  { sort }: Preferences,
  { variant }: RequestedModel
): ProviderSort | undefined => {
  const requestedSort = typeof sort === "string" ? sort : sort?.by
  return requestedSort ?? (variant === undefined ? undefined : variants[variant].sort)
}
