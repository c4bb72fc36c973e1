/** Rules about what changes a price: no endpoint is asked for what the catalog does not know the price of. */
import { type ConditionName, findUnusual } from "../../../values/usage/ModelUsage.ts"
import { type Candidate, isByok } from "../../Candidate.ts"
import type { Constraint } from "../../restrictions/Constraint.ts"
import type { Requirements } from "../../Requirements.ts"
import { hasConditionPrice } from "../../ServedPrices.ts"
import { type HardRule, requestSource } from "./HardRule.ts"

/**
 * A faster speed and another place cost several times as much (https://platform.claude.com/docs/en/build-with-claude/fast-mode,
 * https://platform.claude.com/docs/en/build-with-claude/data-residency), so they need a price always. A service tier needs
 * one where spending is limited: elsewhere it is passed on, as it has always been. A customer's own credential needs none.
 */
export const makeConditionRules = (
  { conditions }: Requirements,
  constraints: ReadonlyArray<Constraint>
): ReadonlyArray<HardRule> => {
  const limited = constraints.find(({ budgeted }) => budgeted === true)
  const toRules = (name: ConditionName, dialect?: string): ReadonlyArray<HardRule> => {
    const value = findUnusual(conditions, name)
    if (value === undefined || cheaperTiers.has(value)) return []
    const isSent = ({ dialect: spoken = "chat" }: Candidate): boolean =>
      dialect === undefined || spoken === dialect
    return [
      {
        rule: "unknown_price",
        source: name === "service_tier" ? (limited?.source ?? requestSource) : requestSource,
        wanted: `a price for ${name} "${value}": an override of the endpoint's price with ${name}`,
        findViolation: (candidate) =>
          !isSent(candidate) ||
          hasConditionPrice(candidate, name, value) ||
          (isByok(candidate) && !constraints.some(({ countsByok }) => countsByok === true))
            ? undefined
            : "unknown price"
      }
    ]
  }
  return [
    ...toRules("speed", "messages"),
    ...toRules("inference_geo", "messages"),
    ...(limited === undefined ? [] : toRules("service_tier"))
  ]
}

/** They never cost more than the usual one. */
const cheaperTiers: ReadonlySet<string> = new Set(["flex", "batch"])
