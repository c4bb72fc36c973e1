/** What images cost at an endpoint, and which parameters they take there. */
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import { isObject } from "../../../values/json/guards.ts"
import { type FieldNames, checkFieldNames } from "../../../values/validation/checkFieldNames.ts"
import { suggestNames } from "../../../values/validation/findNearestName.ts"
import { parsePriceText } from "./PriceList.ts"

/** What images cost at an endpoint, and which parameters they take there. */
export interface ImageTerms {
  /** Every line that applies is charged. Absent: the `price` of the endpoint, for its tokens and per request. */
  readonly prices?: ReadonlyArray<ImagePrice>
  /**
   * The parameters that are sent there, such as `{ n: { type: "range", min: 1, max: 4 } }`, and no others. A request with
   * another value is not served there. Absent: unknown, and every parameter is sent.
   */
  readonly parameters?: Readonly<Record<string, ParameterRange>>
  /** Whether it sends previews in a stream. Default: whether the upstream can. */
  readonly streams?: boolean
  /** Parameters of the provider's own that it takes, in addition to `parameters`. */
  readonly passthrough?: ReadonlyArray<string>
}

/** One line of what images cost. */
export interface ImagePrice {
  readonly billable: (typeof billables)[number]
  readonly unit: (typeof units)[number]
  /** USD for one unit, as a decimal string, such as `"0.04"`. A megapixel is a million pixels. */
  readonly usd: string
  /**
   * Applies only to images of these: a size, a resolution, an aspect ratio, a quality, an output format or a background, or
   * several of them, such as `1024x1024`, `2K` or `high_1536x1024`. Of the lines for one thing in one unit, the one that says
   * most applies. Absent: applies to all other images.
   */
  readonly variant?: string
}

/** The values of a parameter that an endpoint takes: one of some, a number in a range, or any. */
export const ParameterRange = Schema.Union([
  Schema.Struct({ type: Schema.Literal("enum"), values: Schema.Array(Schema.String) }),
  Schema.Struct({ type: Schema.Literal("range"), min: Schema.Finite, max: Schema.Finite }),
  Schema.Struct({ type: Schema.Literal("boolean") })
])
export type ParameterRange = typeof ParameterRange.Type

/** What is charged, and by which unit, in the words of https://openrouter.ai/docs/guides/overview/multimodal/image-generation. */
export const billables = [
  "output_image",
  "output_text",
  "input_image",
  "input_reference",
  "input_font",
  "input_text"
] as const
export const units = ["image", "megapixel", "token", "request"] as const

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

/** The price of a line that has been checked. */
export const parseImagePrice = ({ usd }: Pick<ImagePrice, "usd">): BigDecimal.BigDecimal =>
  parsePriceText(usd) ?? BigDecimal.make(0n, 0)
