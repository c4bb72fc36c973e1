/** Service tiers, which serve only requests that ask for them. */
import { variants } from "../../../engine/catalog/model/Variant.ts"
import type { Candidate } from "../../Candidate.ts"
import type { Constraint } from "../../restrictions/Constraint.ts"
import { admits, type RequestedModel, type Requirements } from "../../Requirements.ts"
import { nonEmpty, type Preferences } from "../../Preferences.ts"
import { type SlugList, makeSlugList } from "../SlugList.ts"
import { type HardRule, requestSource } from "./HardRule.ts"

export const hasTier = ({ endpoint }: Candidate): boolean => endpoint.tier !== "default"

/**
 * Endpoints of a service tier serve requests that name them or the tier, and requests for `:nitro` (priority) and
 * `:floor` (flex) without an `order`.
 */
export const makeTierRule = (
  models: ReadonlyArray<RequestedModel>,
  { only, order }: Preferences,
  constraints: ReadonlyArray<Constraint>,
  requestedTier: Requirements["tier"]
): HardRule => {
  // Built on demand, because few models have tiers and a list may be long.
  let namedSlugs: SlugList | undefined
  const isNamed = (candidate: Candidate): boolean => {
    const lists = [only ?? [], order ?? [], ...constraints.map(({ only = [] }) => only)]
    namedSlugs ??= makeSlugList(lists.flat())
    return namedSlugs.has(candidate)
  }
  const isOrdered = nonEmpty(order) !== undefined
  return {
    rule: "tier",
    source: requestSource,
    wanted: "no service tier that was not asked for",
    findViolation: (candidate) => {
      const { tag, tier } = candidate.endpoint
      if (tier === "default" || tier === requestedTier || isNamed(candidate)) return undefined
      const variant = isOrdered
        ? undefined
        : models.find((model) => admits(model, candidate))?.variant
      return variant !== undefined && variants[variant].tier === tier ? undefined : tag
    }
  }
}
