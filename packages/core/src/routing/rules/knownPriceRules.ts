/** What cannot be afforded, because nobody knows what it costs. */
import { isKnown } from "../../catalog/Price.ts"
import { isByok } from "../Candidate.ts"
import type { Constraint } from "../Constraint.ts"
import type { HardRule } from "./HardRule.ts"

export const knownPriceRules = ({
  budgeted,
  countsByok,
  source
}: Constraint): ReadonlyArray<HardRule> =>
  budgeted === true
    ? [
        {
          rule: "unknown_price",
          source,
          wanted: "a known price, because spending is limited",
          fails: (candidate) =>
            isKnown(candidate.endpoint.price) || (isByok(candidate) && countsByok !== true)
              ? undefined
              : "unknown price"
        }
      ]
    : []
