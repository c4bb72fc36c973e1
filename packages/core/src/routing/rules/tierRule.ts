/** Service tiers, which serve those alone who ask for them. */
import type { Candidate } from "../Candidate.ts"
import type { Constraint } from "../Constraint.ts"
import type { Demand } from "../Demand.ts"
import type { Preferences } from "../Preferences.ts"
import type { RequestedModel } from "../RequestedModel.ts"
import { type SlugList, slugList } from "../slugList.ts"
import { stated } from "../stated.ts"
import { type HardRule, request } from "./HardRule.ts"

/**
 * Endpoints of a service tier serve those who name them or the tier, and `:nitro` (priority) and `:floor`
 * (flex) unless an `order` is given.
 */
export const tierRule = (
  models: ReadonlyArray<RequestedModel>,
  { only, order }: Preferences,
  constraints: ReadonlyArray<Constraint>,
  asked: Demand["tier"]
): HardRule => {
  // Few models have tiers, and a list may be long.
  let named: SlugList | undefined
  const isNamed = (candidate: Candidate): boolean => {
    const lists = [only ?? [], order ?? [], ...constraints.map(({ only = [] }) => only)]
    named ??= slugList(lists.flat())
    return named.has(candidate)
  }
  const isOrdered = stated(order) !== undefined
  return {
    rule: "tier",
    source: request,
    wanted: "no service tier that was not asked for",
    fails: (candidate) => {
      const { model, tag, tier } = candidate.endpoint
      if (tier === "default" || tier === asked || isNamed(candidate)) return undefined
      const variant = isOrdered ? undefined : models.find(({ id }) => id === model)?.variant
      return variant !== undefined && tierOf[variant] === tier ? undefined : tag
    }
  }
}

const tierOf = { nitro: "priority", floor: "flex", exacto: undefined } as const
