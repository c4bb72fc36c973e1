/** The range of the prices of some endpoints. */
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import * as Price from "../../engine/catalog/endpoint/Price.ts"
import type { ModelStatus } from "./statusResponses.ts"

/** Null: none of them has a known price. */
export const summarizePrices = (endpoints: ReadonlyArray<Endpoint>): ModelStatus["price"] => {
  const prompt = findRange(endpoints, "prompt")
  const completion = findRange(endpoints, "completion")
  return prompt === undefined || completion === undefined ? null : { prompt, completion }
}

/** Compares in floating point, and shows the decimals. */
const findRange = (endpoints: ReadonlyArray<Endpoint>, part: "completion" | "prompt") => {
  const known = endpoints
    .filter(({ price }) => price[part] !== undefined)
    .toSorted((one, other) => one.price.approximate[part] - other.price.approximate[part])
  const [first] = known
  const last = known.at(-1)
  return first === undefined || last === undefined
    ? undefined
    : { min: Price.toPriceList(first.price)[part], max: Price.toPriceList(last.price)[part] }
}
