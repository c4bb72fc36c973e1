/** A price book of two providers, and their upstreams. */
import type { PriceBook } from "../../../../src/engine/catalog/prices/PriceBook.ts"

export const book: PriceBook = {
  name: "the list",
  date: "2026-07-01",
  providers: {
    "acme-cloud": {
      small: {
        name: "Small",
        family: "small",
        created: 1_700_000_000,
        price: { prompt: "0.000001", completion: "0.000002" },
        contextLength: 100_000,
        maxCompletionTokens: 8_000,
        inputs: ["text", "image"],
        outputs: ["text"]
      },
      large: { price: { prompt: "0.00001", completion: "0.00002" } },
      old: { price: { prompt: "0.00001", completion: "0.00002" }, isDeprecated: true }
    },
    reseller: {
      "acme/open": { price: { prompt: "0.000003" } },
      "acme/small": { price: { prompt: "0.000004" } },
      "other/open": { price: { prompt: "0.000005" } }
    }
  }
}

export const upstreams = [
  {
    slug: "acme",
    name: "Acme",
    listedAs: "acme-cloud",
    authors: ["acme"],
    listParameters: (model: string) => (model === "small" ? ["tools"] : undefined)
  },
  { slug: "reseller", name: "Reseller", listedAs: "reseller" },
  { slug: "own", name: "Our own" },
  { slug: "strange", name: "Strange", listedAs: "unheard-of" }
]
