/** The regions that endpoints may run in. */
import type { Constraint } from "../../restrictions/Constraint.ts"
import { isInRegion } from "../isInRegion.ts"
import type { HardRule } from "./HardRule.ts"

export const makeRegionRules = ({ regions, source }: Constraint): ReadonlyArray<HardRule> =>
  regions === undefined
    ? []
    : [
        {
          rule: "data_region",
          source,
          wanted: `a place in ${regions.join(" or ")}`,
          findViolation: ({ endpoint: { region } }) =>
            isInRegion(regions, region) ? undefined : (region ?? "unknown place")
        }
      ]
