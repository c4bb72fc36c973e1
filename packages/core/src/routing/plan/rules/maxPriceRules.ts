/** The maximum price for each part of a request. */
import type { Preferences } from "../../Preferences.ts"
import { type HardRule, requestSource } from "./HardRule.ts"

const priceParts = [
  { part: "prompt", perMillion: true, unit: "USD per million prompt tokens" },
  { part: "completion", perMillion: true, unit: "USD per million completion tokens" },
  { part: "image", perMillion: false, unit: "USD per image" },
  { part: "audio", perMillion: false, unit: "USD per audio unit" },
  { part: "request", perMillion: false, unit: "USD per request" }
] as const

export const makeMaxPriceRules = ({ max_price }: Preferences): ReadonlyArray<HardRule> =>
  max_price === undefined
    ? []
    : priceParts.flatMap(({ part, perMillion, unit }) => {
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
              // Compared in the unit the cap is stated in; 1e-9 of slack absorbs the conversion.
              const found = perMillion ? price * 1e6 : price
              return found <= cap * (1 + 1e-9) ? undefined : formatPrice(found)
            }
          }
        ] satisfies ReadonlyArray<HardRule>
      })

/** Without the last digits, which are the conversion's; what is above the slack stays above. */
const formatPrice = (price: number): string => String(Number(price.toPrecision(12)))
