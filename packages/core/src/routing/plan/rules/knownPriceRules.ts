/** Rejects unknown prices while spending is limited. */
import { isKnown } from "../../../catalog/Price.ts"
import { isByok } from "../../Candidate.ts"
import type { Constraint } from "../../restrictions/Constraint.ts"
import type { HardRule } from "./HardRule.ts"

export const makeKnownPriceRules = ({
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
          findViolation: (candidate) =>
            isKnown(candidate.price) || (isByok(candidate) && countsByok !== true)
              ? undefined
              : "unknown price"
        }
      ]
    : []
