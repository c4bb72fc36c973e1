/** The prices of well-known providers, from https://models.dev. */
import type { PriceBook } from "@signalbox/core/catalog"
import { date } from "./generated/date.ts"
import { providers } from "./generated/providers.ts"

/**
 * Prices in USD, limits in tokens and modalities of models, by the provider that sells them. `make` of `@signalbox/node`
 * and `@signalbox/web` loads it where an endpoint states no price. The data are those of https://models.dev, under
 * its MIT license.
 */
export const modelsDevPrices: PriceBook = { name: "models.dev", date, providers }
