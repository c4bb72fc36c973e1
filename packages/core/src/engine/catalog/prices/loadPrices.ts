/** Loads the price book only for catalogs that need it, because it is large. */
import * as Effect from "effect/Effect"
import { isObject } from "../../../values/json/guards.ts"
import { CatalogInvalid } from "../CatalogErrors.ts"
import type { ModelConfig } from "../model/Model.ts"
import type { ListedUpstream } from "./expandWildcards.ts"
import { needsPrices } from "./completeModels.ts"
import type { PriceBook, PricesOption } from "./PriceBook.ts"

interface PricedInput {
  readonly upstreams: ReadonlyArray<ListedUpstream>
  readonly prices?: PricesOption
}

/** Undefined: there is none, or every endpoint that it could complete states its price. */
export const loadPrices = (
  { prices = false, upstreams }: PricedInput,
  models: ReadonlyArray<ModelConfig>
): Effect.Effect<PriceBook | undefined, CatalogInvalid> => {
  if (prices === false || !needsPrices(models, upstreams.filter(isObject))) return Effect.undefined
  if (typeof prices !== "function") return Effect.succeed(prices)
  return Effect.tryPromise({
    try: prices,
    catch: (cause) =>
      new CatalogInvalid({
        source: "prices",
        problem: `they could not be loaded: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })
}
