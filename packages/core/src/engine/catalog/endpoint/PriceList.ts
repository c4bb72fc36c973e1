/** The prices of an endpoint as they are written: in catalogs, and in the HTTP API. */
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import type { PriceOverride } from "./PriceOverride.ts"

/**
 * Parts that do not affect ranking. `computeCost` charges some of them; the others are only shown in the catalog. Per
 * token unless named otherwise.
 */
export const otherParts = [
  "image_token",
  "image_output",
  "audio_output",
  "input_audio_cache",
  "input_cache_read",
  "input_cache_write",
  "input_cache_write_1h",
  "internal_reasoning",
  "web_search",
  "character",
  "second"
] as const
export type OtherPartName = (typeof otherParts)[number]

/**
 * Prices as decimal strings in USD: `prompt` and `completion` per token, `request` per request,
 * `image` per image, `audio` per unit, `character` per character of text to speak, and `second` per second of audio to
 * transcribe. An absent `prompt` or `completion` is unknown unless the list has one of the last two, and so is any
 * part at `"-1"`; an absent other part is not charged.
 */
export interface PriceList extends PartList {
  /** The fraction, 0 to 1, that is taken off every part. Absent: none. */
  readonly discount?: number
  /** Other prices for long prompts or at times of the week. */
  readonly overrides?: ReadonlyArray<PriceOverride>
}

/** The parts of a price. */
export interface PartList extends Readonly<Partial<Record<OtherPartName, string>>> {
  readonly prompt?: string
  readonly completion?: string
  readonly request?: string
  readonly image?: string
  readonly audio?: string
}

/** The names of all parts. */
const partNames = ["prompt", "completion", "request", "image", "audio", ...otherParts] as const

const names: ReadonlySet<string> = new Set(partNames)

/** The names of all fields of a price list. */
export const priceFields: ReadonlyArray<string> = [...partNames, "discount", "overrides"]

export const priceFieldNames: Readonly<Record<string, true>> = Object.fromEntries(
  priceFields.map((name) => [name, true])
)

export const isPricePart = (name: string): name is keyof PartList => names.has(name)

/** Parts that are not charged per token. */
const nonTokenParts: ReadonlySet<keyof PartList> = new Set([
  "request",
  "image",
  "image_output",
  "audio",
  "web_search",
  "character",
  "second"
])

/** USD per token: far above real prices, and below most prices per million tokens. */
const maxTokenPrice = BigDecimal.fromStringUnsafe("0.01")

/** Whether speech or transcriptions are sold by the length of what goes in, so that tokens not stated cost nothing. */
export const isSoldByLength = (list: PartList): boolean =>
  list.character !== undefined || list.second !== undefined

/** Throws a `RangeError` for a price that looks like one for a million tokens. */
export const checkMagnitude = (list: PriceList): void => {
  checkPartMagnitudes(list, "price")
  for (const [index, override] of (list.overrides ?? []).entries()) {
    checkPartMagnitudes(override, toOverridePath(index))
  }
}

export const toOverridePath = (index: number): string => `price.overrides.${index}`

const checkPartMagnitudes = (list: PartList, path: string): void => {
  for (const name of partNames) {
    const price = nonTokenParts.has(name) ? undefined : parsePart(list, name, path)
    if (price !== undefined && BigDecimal.isGreaterThan(price, maxTokenPrice)) {
      throw new RangeError(
        `${path}.${name} is ${list[name]} USD for one token; divide a price for a million tokens by 1000000, or say allowHighPrice: true`
      )
    }
  }
}

export type PartPrice = BigDecimal.BigDecimal | undefined

export const parsePart = (
  list: PartList,
  name: keyof PartList,
  path: string,
  absent?: BigDecimal.BigDecimal
): BigDecimal.BigDecimal | undefined => {
  // A list from a file may hold anything.
  const text: unknown = list[name]
  if (text === undefined) return absent
  if (text === "-1") return undefined
  const price = parsePriceText(text)
  if (price === undefined) {
    throw new RangeError(
      `${path}.${name} must be a decimal string of USD, got ${JSON.stringify(text).slice(0, 80)}`
    )
  }
  return price
}

/** Undefined for anything but a decimal number from 0. A huge exponent would make arithmetic take seconds. */
export const parsePriceText = (text: unknown): PartPrice => {
  const price =
    typeof text === "string" && text.trim() !== "" && text.length <= maxPriceLength
      ? Option.getOrUndefined(BigDecimal.fromString(text))
      : undefined
  return price === undefined || BigDecimal.isNegative(price) || Math.abs(price.scale) > maxDecimals
    ? undefined
    : price
}

/** Real prices have up to 23 decimals. */
const maxDecimals = 40
const maxPriceLength = 60
