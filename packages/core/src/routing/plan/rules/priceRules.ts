/** Rules about prices: `max_price`, and known prices while spending is limited. */
import { isKnown } from "../../../engine/catalog/endpoint/Price.ts"
import { type ConditionName, findUnusual } from "../../../values/usage/ModelUsage.ts"
import { type Candidate, isByok } from "../../Candidate.ts"
import type { Preferences } from "../../Preferences.ts"
import type { Requirements } from "../../Requirements.ts"
import type { Constraint } from "../../restrictions/Constraint.ts"
import { hasConditionPrice } from "../../ServedPrices.ts"
import { type HardRule, requestSource } from "./HardRule.ts"

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

const priceParts = [
  { part: "prompt", perMillion: true, unit: "USD per million prompt tokens" },
  { part: "completion", perMillion: true, unit: "USD per million completion tokens" },
  { part: "image", perMillion: false, unit: "USD per image" },
  { part: "audio", perMillion: false, unit: "USD per audio unit" },
  { part: "request", perMillion: false, unit: "USD per request" }
] as const

/** One rule for each part of the price that the request caps. */
export const makeMaxPriceRules = ({ max_price = {} }: Preferences): ReadonlyArray<HardRule> =>
  priceParts.flatMap(({ part, perMillion, unit }): ReadonlyArray<HardRule> => {
    const requestedCap = max_price[part]
    if (requestedCap === undefined) return []
    const cap = Number(requestedCap)
    return [
      {
        rule: "max_price",
        source: requestSource,
        wanted: `<= ${cap} ${unit}`,
        findViolation: (candidate) => {
          const price = candidate.price.approximate[part]
          if (Number.isNaN(price)) return "unknown price"
          // Compared in the unit of the cap; 1e-9 of slack absorbs the conversion.
          const found = perMillion ? price * 1e6 : price
          return found <= cap * (1 + 1e-9) ? undefined : formatPrice(found)
        }
      }
    ]
  })

/** Without the digits that the conversion adds; a price above the slack stays above the cap. */
const formatPrice = (price: number): string => String(Number(price.toPrecision(12)))

/**
 * Rules about what changes a price: no endpoint is asked for what the catalog does not know the price of. A faster
 * speed and another place cost several times as much
 * (https://platform.claude.com/docs/en/build-with-claude/fast-mode,
 * https://platform.claude.com/docs/en/build-with-claude/data-residency), so they need a price always. A service tier
 * needs one where spending is limited; elsewhere it is passed on. A customer's own credential needs none.
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
