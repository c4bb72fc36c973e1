/** Where endpoints may run. */
import type { Constraint } from "../Constraint.ts"
import { inRegion } from "../inRegion.ts"
import type { HardRule } from "./HardRule.ts"

export const regionRules = ({ regions, source }: Constraint): ReadonlyArray<HardRule> =>
  regions === undefined
    ? []
    : [
        {
          rule: "data_region",
          source,
          wanted: `a place in ${regions.join(" or ")}`,
          fails: ({ endpoint: { region } }) =>
            inRegion(regions, region) ? undefined : (region ?? "unknown place")
        }
      ]
