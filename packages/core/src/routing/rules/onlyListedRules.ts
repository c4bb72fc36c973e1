/** What `allow_fallbacks: false` leaves of an order. */
import type { Preferences } from "../Preferences.ts"
import { slugList } from "../slugList.ts"
import { stated } from "../stated.ts"
import { type HardRule, request } from "./HardRule.ts"

/** `allow_fallbacks: false` with an `order` leaves the listed ones. */
export const onlyListedRules = ({
  allow_fallbacks,
  order
}: Preferences): ReadonlyArray<HardRule> => {
  const listed = stated(order)
  if (allow_fallbacks !== false || listed === undefined) return []
  const allowed = slugList(listed)
  return [
    {
      rule: "allow_fallbacks",
      source: request,
      wanted: `one of ${listed.join(", ")}`,
      fails: (candidate) => (allowed.has(candidate) ? undefined : candidate.endpoint.tag)
    }
  ]
}
