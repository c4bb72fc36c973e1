/** The prices of a catalog whose host passes none. */
import * as Context from "effect/Context"
import type { PricesOption } from "./PriceBook.ts"

/** Set by the platform, because the core has no prices. Default: none. */
export const DefaultPrices: Context.Reference<PricesOption> = Context.Reference(
  "@signalbox/core/engine/catalog/prices/DefaultPrices",
  { defaultValue: (): PricesOption => false }
)
