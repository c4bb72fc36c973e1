/** `allow_fallbacks: false` limits routing to the start of the order. */
import type { Preferences } from "../../Preferences.ts"
import { makeSlugList } from "../SlugList.ts"
import { nonEmpty } from "../nonEmpty.ts"
import { type HardRule, requestSource } from "./HardRule.ts"

/** `allow_fallbacks: false` with an `order` leaves the listed ones. */
export const makeOrderOnlyRules = ({
  allow_fallbacks,
  order
}: Preferences): ReadonlyArray<HardRule> => {
  const ordered = nonEmpty(order)
  if (allow_fallbacks !== false || ordered === undefined) return []
  const allowed = makeSlugList(ordered)
  return [
    {
      rule: "allow_fallbacks",
      source: requestSource,
      wanted: `one of ${ordered.join(", ")}`,
      findViolation: (candidate) => (allowed.has(candidate) ? undefined : candidate.endpoint.tag)
    }
  ]
}
