/** The prices of answers of a provider, by the model and the service tier that served. */
import type { Configuration } from "../engine/catalog/Configuration.ts"
import { computeCostAt, computeMaxCost } from "../engine/catalog/endpoint/computeCost.ts"
import type { Endpoint } from "../engine/catalog/endpoint/Endpoint.ts"
import { hasCondition, isKnown, type Price } from "../engine/catalog/endpoint/Price.ts"
import { memoize } from "effect/Function"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import { type TokenUsage, subtractUsage } from "../values/usage/TokenUsage.ts"
import {
  type ConditionName,
  type ServedAs,
  type ServedConditions,
  findUnusual
} from "../values/usage/ModelUsage.ts"
import type { Candidate } from "./Candidate.ts"

/** The endpoints of a provider, by the model's name there. */
export type ProviderEndpoints = ReadonlyMap<string, ReadonlyArray<Endpoint>>

/** Memoized, because configurations are immutable. */
export const indexProviderEndpoints = memoize(
  ({ models }: Pick<Configuration, "models">): ReadonlyMap<string, ProviderEndpoints> => {
    const byProvider = new Map<string, Map<string, Array<Endpoint>>>()
    for (const { endpoints } of models) {
      for (const endpoint of endpoints) {
        let byModel = byProvider.get(endpoint.provider)
        if (byModel === undefined) {
          byModel = new Map()
          byProvider.set(endpoint.provider, byModel)
        }
        const known = byModel.get(endpoint.upstreamModel)
        if (known === undefined) byModel.set(endpoint.upstreamModel, [endpoint])
        else known.push(endpoint)
      }
    }
    return byProvider
  }
)

/**
 * The cost of `usage` as it was served. What the catalog has no price for costs what the candidate costs.
 */
export const computeServedCost = (
  candidate: Candidate,
  usage: TokenUsage,
  served: ServedAs | undefined,
  at: number
): NanoUsd.NanoUsd | undefined => {
  if (served === undefined) return computeCostAt(candidate.price, usage, at)
  const { conditions, model, usageByModel = [] } = served
  let own = usage
  let others: NanoUsd.NanoUsd = NanoUsd.zero
  for (const part of usageByModel) {
    const price = findServedPrice(candidate, part.model, conditions)
    const cost = computeCostAt(price, part.usage, at, conditions)
    if (cost === undefined) return undefined
    own = subtractUsage(own, part.usage)
    others = NanoUsd.sum(others, cost)
  }
  const cost = computeCostAt(findServedPrice(candidate, model, conditions), own, at, conditions)
  return cost === undefined ? undefined : NanoUsd.sum(cost, others)
}

/** The price of the tier that may serve, and of the models that tools name, that makes `usage` the dearest. */
export const selectDearestPrice = (
  candidate: Candidate,
  usage: TokenUsage,
  models: ReadonlyArray<string> = []
): Price => {
  const { endpoint, price, providerEndpoints } = candidate
  if (providerEndpoints === undefined || price !== endpoint.price) return price
  let dearest = price
  let most: NanoUsd.NanoUsd | undefined
  for (const model of [endpoint.upstreamModel, ...models]) {
    for (const each of providerEndpoints.get(model) ?? []) {
      if (each.price === price || !isKnown(each.price)) continue
      const cost = computeMaxCost(each.price, usage)
      most ??= computeMaxCost(price, usage)
      if (cost === undefined || most === undefined || cost <= most) continue
      dearest = each.price
      most = cost
    }
  }
  return dearest
}

/** Whether the catalog says what answers cost under this condition. */
export const hasConditionPrice = (
  { endpoint, price, providerEndpoints }: Candidate,
  name: ConditionName,
  value: string
): boolean =>
  hasCondition(price, name, value) ||
  (name === "service_tier" &&
    (endpoint.tier === value ||
      providerEndpoints?.get(endpoint.upstreamModel)?.some(({ tier }) => tier === value) === true))

const findServedPrice = (
  { endpoint, price, providerEndpoints }: Candidate,
  model: string | undefined,
  conditions: ServedConditions | undefined
): Price => {
  if (providerEndpoints === undefined || price !== endpoint.price) return price
  const isOther = model !== undefined && model !== endpoint.upstreamModel
  const sold = (isOther ? providerEndpoints.get(model) : undefined) ?? undefined
  const tier =
    conditions?.service_tier === undefined && sold === undefined
      ? endpoint.tier
      : (findUnusual(conditions, "service_tier") ?? "default")
  if (sold === undefined && tier === endpoint.tier) return price
  const endpoints = sold ?? providerEndpoints.get(endpoint.upstreamModel) ?? []
  const ofTier = endpoints.filter((each) => each.tier === tier)
  const found = ofTier.find(({ region }) => region === endpoint.region) ?? ofTier[0] ?? sold?.[0]
  return found?.price ?? price
}
