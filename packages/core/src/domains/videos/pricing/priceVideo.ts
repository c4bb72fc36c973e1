/** Prices videos by the units in `pricing_skus`. */
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Endpoint } from "../../../engine/catalog/endpoint/Endpoint.ts"
import { isKnown, toPriceList, type Price } from "../../../engine/catalog/endpoint/Price.ts"
import type { VideoCapabilities } from "../../../engine/catalog/model/VideoCapabilities.ts"
import { hasResolution, knownResolutions } from "../request/resolveDimensions.ts"
import { VideoUsage } from "../../../values/usage/ModelUsage.ts"

/** USD per unit as decimal strings, keyed by unit. */
export type Skus = Readonly<Record<string, string>>

export const BillableUsage = Schema.Struct({
  ...VideoUsage.fields,
  hasAudio: Schema.Boolean
})
export type BillableUsage = typeof BillableUsage.Type

/**
 * The prices of the endpoint, else of its model. Without a price per second, video or token, the endpoint's price
 * per request is the price of a video.
 */
export const resolveSkus = (
  { price, videoPrice }: Pick<Endpoint, "price" | "videoPrice">,
  { pricing_skus }: Pick<VideoCapabilities, "pricing_skus">
): Skus => {
  const skus = videoPrice ?? pricing_skus ?? {}
  const isSold = Object.keys(skus).some((name) => name !== "image")
  return isSold || !isCharged(price) ? skus : { ...skus, video: toPriceList(price).request }
}

/** A price list without numbers is unknown, although the default price of a request is 0. */
const isCharged = (price: Price): boolean =>
  isKnown(price) || (price.request !== undefined && !BigDecimal.isZero(price.request))

/**
 * In USD; undefined when a required price is unknown. Seconds, videos, tokens and input images are charged where
 * they have a price; the most specific price per second applies. OpenRouter
 * names it by origin, audio and resolution, such as `duration_seconds_with_audio_4k` and
 * `image_to_video_duration_seconds_720p` (https://openrouter.ai/docs/guides/overview/multimodal/videos).
 */
export const priceVideo = (skus: Skus, made: BillableUsage): BigDecimal.BigDecimal | undefined => {
  const parts: Array<BigDecimal.BigDecimal | undefined> = []
  const second = findSecondPrice(skus, made)
  if (second === "none") {
    // No price for this resolution, and none for all.
    if (Object.keys(skus).some((name) => name.includes("duration_seconds"))) parts.push(undefined)
  } else parts.push(multiplyPrice(made.seconds, second))
  if (Object.hasOwn(skus, "video"))
    parts.push(multiplyPrice(made.videos, parsePrice(skus, "video")))
  if (Object.hasOwn(skus, "video_tokens")) {
    parts.push(multiplyPrice(made.tokens, parsePrice(skus, "video_tokens")))
  }
  if (parts.length === 0) return undefined
  if (Object.hasOwn(skus, "image"))
    parts.push(multiplyPrice(made.images ?? 0, parsePrice(skus, "image")))
  const known = parts.filter((part) => part !== undefined)
  return known.length === parts.length ? BigDecimal.sumAll(known) : undefined
}

const findSecondPrice = (
  skus: Skus,
  { hasAudio, images = 0, resolution }: BillableUsage
): BigDecimal.BigDecimal | undefined | "none" => {
  const audio = hasAudio ? "_with_audio" : "_without_audio"
  const origin = images > 0 ? "image_to_video_" : "text_to_video_"
  const named = [resolution, ...findNames(resolution)].filter((each) => each !== undefined)
  const bySize = named.flatMap((each) => [`${audio}_${each}`, `_${each}${audio}`, `_${each}`])
  // The case differs: resolutions are asked for as 4K, and sold as 4k.
  const names = new Map(Object.keys(skus).map((name) => [name.toLowerCase(), name]))
  const found = [...bySize, audio, ""]
    .flatMap((suffix) => [`${origin}duration_seconds${suffix}`, `duration_seconds${suffix}`])
    .find((each) => names.has(each.toLowerCase()))
  const name = found === undefined ? undefined : names.get(found.toLowerCase())
  return name === undefined ? "none" : parsePrice(skus, name)
}

/** The resolutions that a size in pixels has. */
const findNames = (resolution = ""): ReadonlyArray<string> =>
  /^\d+x\d+$/.test(resolution)
    ? knownResolutions.filter((each) => hasResolution(resolution, each))
    : []

/** Catalog sources are not trusted: negative and very long prices are rejected. */
const parsePrice = (skus: Skus, name: string): BigDecimal.BigDecimal | undefined => {
  const text = skus[name] ?? ""
  if (!/^\d{1,15}(?:\.\d{1,40})?$/.test(text)) return undefined
  return Option.getOrUndefined(BigDecimal.fromString(text))
}

const multiplyPrice = (
  count: number | undefined,
  price: BigDecimal.BigDecimal | undefined
): BigDecimal.BigDecimal | undefined => {
  if (count === undefined || price === undefined) return undefined
  const amount = Option.getOrUndefined(BigDecimal.fromNumber(Math.max(0, count)))
  return amount === undefined ? undefined : BigDecimal.multiply(amount, price)
}
