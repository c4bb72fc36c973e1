/** Checks what a host says of images at an endpoint. */
import * as Schema from "effect/Schema"
import { isObject } from "../../../values/json/guards.ts"
import { type FieldNames, checkFieldNames } from "../../../values/validation/checkFieldNames.ts"
import { suggestNames } from "../../../values/validation/findNearestName.ts"
import { billables, type ImagePrice, type ImageTerms, ParameterRange, units } from "./ImageTerms.ts"
import { parsePriceText } from "./PriceList.ts"

const termFields: FieldNames<ImageTerms> = {
  prices: true,
  parameters: true,
  streams: true,
  passthrough: true
}

const priceFields: FieldNames<ImagePrice> = {
  billable: true,
  unit: true,
  usd: true,
  variant: true
}

/** Throws a `RangeError` that names the problem: under a misspelt unit images would be sold for nothing. */
export const checkImageTerms = (terms: ImageTerms): void => {
  if (!isObject(terms)) throw new RangeError("images must be an object such as { prices: [] }")
  checkFieldNames(terms, "field of it", termFields, "images.")
  const { parameters = {}, passthrough = [], prices, streams } = terms
  if (prices !== undefined && !Array.isArray(prices)) {
    throw new RangeError("images.prices must be a list")
  }
  for (const [index, price] of (prices ?? []).entries()) checkPrice(price, index)
  if (!isObject(parameters)) throw new RangeError("images.parameters must be an object")
  for (const [name, range] of Object.entries(parameters)) {
    if (!isRange(range)) {
      throw new RangeError(
        `images.parameters.${name} must be like { type: "enum", values: ["1K"] }, { type: "range", min: 1, max: 4 } or { type: "boolean" }`
      )
    }
  }
  if (streams !== undefined && typeof streams !== "boolean") {
    throw new RangeError("images.streams must be true or false")
  }
  if (!Array.isArray(passthrough) || passthrough.some((name) => typeof name !== "string")) {
    throw new RangeError("images.passthrough must be a list of names")
  }
}

const isRange = Schema.is(ParameterRange)

const checkPrice = (price: unknown, index: number): void => {
  const path = `images.prices.${index}`
  if (!isObject(price)) throw new RangeError(`${path} must be an object`)
  checkFieldNames(price, "field of a price", priceFields, `${path}.`)
  const { billable, unit, usd, variant } = price
  for (const [name, value, known] of [
    ["billable", billable, billables],
    ["unit", unit, units]
  ] as const) {
    if (!(known as ReadonlyArray<unknown>).includes(value)) {
      throw new RangeError(`${path}.${name} is not known; ${suggestNames(String(value), known)}`)
    }
  }
  if (parsePriceText(usd) === undefined) {
    throw new RangeError(`${path}.usd must be a decimal string of USD, such as "0.04"`)
  }
  if (variant !== undefined && (typeof variant !== "string" || variant.trim() === "")) {
    throw new RangeError(`${path}.variant must be a text; leave it out for all images`)
  }
}
