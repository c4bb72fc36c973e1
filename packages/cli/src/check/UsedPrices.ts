/** The price book of a configuration, and what a check says of it. */
import type { Options } from "@signalbox/core"
import {
  type CompletedModels,
  type ModelConfig,
  needsPrices,
  type PriceBook
} from "@signalbox/core/catalog"
import { modelsDevPrices } from "@signalbox/prices"
import { count } from "../output/count.ts"
import type { Finding } from "./Finding.ts"
import type { NamedUpstream } from "./findModelMistakes.ts"

/** A price book, and what it is used for. */
export interface UsedPrices extends Omit<CompletedModels, "models"> {
  readonly book: PriceBook
}

/** Undefined: there is none, or no endpoint needs it. */
export const findPriceBook = async (
  prices: Options["prices"] = modelsDevPrices,
  models: ReadonlyArray<ModelConfig>,
  upstreams: ReadonlyArray<NamedUpstream>
): Promise<PriceBook | undefined> => {
  if (prices === false || !needsPrices(models, upstreams)) return undefined
  return typeof prices === "function" ? prices() : prices
}

/** Prices change a few times a year; `now` is in milliseconds since the epoch. */
export const describePrices = (
  { book: { date, name }, completed }: UsedPrices,
  now: number
): { readonly isOld: boolean; readonly finding: Finding } => {
  const days = Math.max(0, Math.floor((now - Date.parse(date)) / dayMillis))
  return {
    isOld: days > oldDays,
    finding: {
      path: ["prices"],
      problem:
        `${count(completed, "endpoint")} ${completed === 1 ? "has" : "have"} a price of ${name} as of ${date}, ` +
        `${count(days, "day")} ago; newer ones come with a newer @signalbox/prices, and a price of your own counts first`
    }
  }
}

const dayMillis = 86_400_000
const oldDays = 90
