/** What an endpoint charges, exactly, in USD per unit. */
import * as BigDecimal from "effect/BigDecimal"
import { memoize } from "effect/Function"
import * as Option from "effect/Option"
import { map as mapRecord } from "effect/Record"
import { getImageCount, getRequestCount, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import { checkFieldNames } from "../../values/validation/checkFieldNames.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"

/**
 * Parts that do not affect ranking. `computeCost` charges some of them; the others are only shown in the catalog. Per
 * token unless named otherwise.
 */
const otherParts = [
  "image_token",
  "image_output",
  "audio_output",
  "input_audio_cache",
  "input_cache_read",
  "input_cache_write",
  "input_cache_write_1h",
  "internal_reasoning",
  "web_search"
] as const
type OtherPartName = (typeof otherParts)[number]

/**
 * Prices as decimal strings in USD: `prompt` and `completion` per token, `request` per request,
 * `image` per image, `audio` per unit. An absent `prompt` or `completion` is unknown, and so is any
 * part at `"-1"`; an absent other part is not charged.
 */
export interface PriceList extends Readonly<Partial<Record<OtherPartName, string>>> {
  readonly prompt?: string
  readonly completion?: string
  readonly request?: string
  readonly image?: string
  readonly audio?: string
}

/** What an endpoint charges, in USD per unit: per token, request or image. */
export interface Price {
  /** Undefined: unknown, never 0. */
  readonly prompt: BigDecimal.BigDecimal | undefined
  readonly completion: BigDecimal.BigDecimal | undefined
  readonly request: BigDecimal.BigDecimal | undefined
  readonly image: BigDecimal.BigDecimal | undefined
  readonly audio: BigDecimal.BigDecimal | undefined
  /** Only stated parts; undefined: unknown. */
  readonly others: Readonly<Partial<Record<OtherPartName, BigDecimal.BigDecimal | undefined>>>
  /** The same in floating point, for ranking only; NaN where unknown. */
  readonly approximate: Readonly<
    Record<"prompt" | "completion" | "request" | "image" | "audio", number>
  >
}

const zero = BigDecimal.make(0n, 0)

/** The names of all parts. */
const partNames = ["prompt", "completion", "request", "image", "audio", ...otherParts] as const

const fields: Readonly<Record<string, true>> = Object.fromEntries(
  partNames.map((name) => [name, true])
)

/** Further fields of the price of a card, which are only shown. */
const displayOnlyFields = ["discount", "overrides"]

export const cardPriceFields: ReadonlyArray<string> = [...partNames, ...displayOnlyFields]

export const isPricePart = (name: string): name is keyof PriceList => Object.hasOwn(fields, name)

/** Parts that are not charged per token. */
const nonTokenParts: ReadonlySet<keyof PriceList> = new Set([
  "request",
  "image",
  "image_output",
  "audio",
  "web_search"
])

/** USD per token: far above real prices, and below most prices per million tokens. */
const maxTokenPrice = BigDecimal.fromStringUnsafe("0.01")

/** Throws a `RangeError` for a price that looks like one for a million tokens. */
export const checkMagnitude = (list: PriceList): void => {
  for (const name of partNames) {
    const price = nonTokenParts.has(name) ? undefined : parsePart(list, name)
    if (price !== undefined && BigDecimal.isGreaterThan(price, maxTokenPrice)) {
      throw new RangeError(
        `price.${name} is ${list[name]} USD for one token; divide a price for a million tokens by 1000000, or say allowHighPrice: true`
      )
    }
  }
}

/** Throws a `RangeError` that names an invalid part. */
export const make = (list: PriceList): Price => {
  checkFieldNames(list, "part of a price", fields, "price.")
  const ranked = {
    prompt: parsePart(list, "prompt"),
    completion: parsePart(list, "completion"),
    request: parsePart(list, "request", zero),
    image: parsePart(list, "image", zero),
    audio: parsePart(list, "audio", zero)
  }
  return {
    ...ranked,
    others: Object.fromEntries(
      otherParts.flatMap((name) =>
        list[name] === undefined ? [] : [[name, parsePart(list, name)]]
      )
    ),
    approximate: mapRecord(ranked, toApproximate)
  }
}

const toApproximate = (price: BigDecimal.BigDecimal | undefined): number =>
  price === undefined ? Number.NaN : BigDecimal.toNumberUnsafe(price)

const parsePart = (
  list: PriceList,
  name: keyof PriceList,
  absent?: BigDecimal.BigDecimal
): BigDecimal.BigDecimal | undefined => {
  // A list from a file may hold anything.
  const text: unknown = list[name]
  if (text === undefined) return absent
  if (text === "-1") return undefined
  const price =
    typeof text === "string" && text.trim() !== "" && text.length <= maxPriceLength
      ? Option.getOrUndefined(BigDecimal.fromString(text))
      : undefined
  // A huge exponent would make arithmetic take seconds.
  if (price === undefined || BigDecimal.isNegative(price) || Math.abs(price.scale) > maxDecimals) {
    throw new RangeError(
      `price.${name} must be a decimal string of USD, got ${JSON.stringify(text).slice(0, 80)}`
    )
  }
  return price
}

/** Real prices have up to 23 decimals. */
const maxDecimals = 40
const maxPriceLength = 60

/** Whether every part that requests are charged for is known. */
export const isKnown = (price: Price): boolean =>
  price.prompt !== undefined &&
  price.completion !== undefined &&
  price.request !== undefined &&
  price.audio !== undefined &&
  findInputPrice(price, "input_cache_read") !== undefined &&
  findInputPrice(price, "input_cache_write") !== undefined

/** The price of some prompt tokens, by default that of the prompt. */
const findInputPrice = ({ others, prompt }: Price, name: OtherPartName): PartPrice =>
  Object.hasOwn(others, name) ? others[name] : prompt

/**
 * The cost of `usage`, rounded up once to nano-USD; undefined when a required price is unknown. Negative counts from a
 * broken upstream cost nothing.
 */
export const computeCost = (price: Price, usage: TokenUsage): NanoUsd.NanoUsd | undefined => {
  const exact = toExactPrice(price)
  const input = computeInputCost(exact, usage)
  if (input === undefined) return undefined
  const output = computeOutputCost(exact, usage)
  if (output === undefined) return undefined
  const { webSearches = 0 } = usage
  const requests = getRequestCount(usage)
  const images = getImageCount(usage)
  if (exact.webSearch === undefined && webSearches > 0) return undefined
  if (exact.request === undefined && requests > 0) return undefined
  if (exact.image === undefined && images > 0) return undefined
  const cost =
    input +
    output +
    multiplyPrice(requests, exact.request) +
    multiplyPrice(images, exact.image) +
    multiplyPrice(webSearches, exact.webSearch)
  const nanos = (cost + exact.unitsPerNano - 1n) / exact.unitsPerNano
  return NanoUsd.min(NanoUsd.make(nanos), NanoUsd.maxAmount)
}

/**
 * The maximum cost of `usage`, whichever of its tokens have a price of their own; undefined when a price that may be
 * required is unknown.
 */
export const computeMaxCost = (price: Price, usage: TokenUsage): NanoUsd.NanoUsd | undefined => {
  const { audioOutputTokens = 0, imageOutputTokens = 0 } = usage
  return computeCost(
    audioOutputTokens > 0 || imageOutputTokens > 0
      ? toMaxPrice(price, audioOutputTokens > 0, imageOutputTokens > 0)
      : toMaxTextPrice(price),
    usage
  )
}

const toMaxPrice = (price: Price, hasAudioOutput: boolean, hasImageOutput: boolean): Price => {
  const read = findHighestPrice(price.prompt, findInputPrice(price, "input_cache_write"))
  const written = findHighestPrice(
    price.completion,
    hasAudioOutput ? findOutputPrice(price, "audio_output") : price.completion,
    hasImageOutput ? findOutputPrice(price, "image_output") : price.completion
  )
  const heard = findHighestPrice(read, findAudioPrice(price))
  const others = pickSearchPrice(price)
  return { ...price, prompt: read, completion: written, audio: heard, others }
}

const toMaxTextPrice = memoize((price: Price) => toMaxPrice(price, false, false))

const pickSearchPrice = ({ others }: Price): Price["others"] =>
  Object.hasOwn(others, "web_search") ? { web_search: others.web_search } : {}

type PartPrice = BigDecimal.BigDecimal | undefined

const findHighestPrice = (first: PartPrice, ...others: ReadonlyArray<PartPrice>): PartPrice =>
  others.reduce(
    (most, part) =>
      most === undefined || part === undefined ? undefined : BigDecimal.max(most, part),
    first
  )

/** The price of some output tokens, by default that of the completion. */
const findOutputPrice = ({ completion, others }: Price, name: OtherPartName): PartPrice =>
  Object.hasOwn(others, name) ? others[name] : completion

/** The price of audio input, by default that of the prompt. */
const findAudioPrice = ({ audio, prompt }: Price): PartPrice =>
  audio !== undefined && BigDecimal.isZero(audio) ? prompt : audio

const findSearchPrice = ({ others }: Price): PartPrice =>
  Object.hasOwn(others, "web_search") ? others.web_search : zero

/** A price in integers of one unit that is at most a nano-USD; undefined: unknown. */
interface ExactPrice extends Readonly<
  Record<
    | "prompt"
    | "completion"
    | "request"
    | "image"
    | "audio"
    | "cacheRead"
    | "cacheWrite"
    | "audioOutput"
    | "imageOutput"
    | "webSearch",
    bigint | undefined
  >
> {
  readonly unitsPerNano: bigint
}

/** Memoized, because prices are immutable and every attempt has a cost. */
const toExactPrice = memoize((price: Price): ExactPrice => {
  const parts = {
    prompt: price.prompt,
    completion: price.completion,
    request: price.request,
    image: price.image,
    audio: findAudioPrice(price),
    cacheRead: findInputPrice(price, "input_cache_read"),
    cacheWrite: findInputPrice(price, "input_cache_write"),
    audioOutput: findOutputPrice(price, "audio_output"),
    imageOutput: findOutputPrice(price, "image_output"),
    webSearch: findSearchPrice(price)
  }
  const scale = Math.max(nanoScale, ...Object.values(parts).map((part) => part?.scale ?? 0))
  return {
    ...mapRecord(parts, (part) =>
      part === undefined ? undefined : BigDecimal.scale(part, scale).value
    ),
    unitsPerNano: 10n ** BigInt(scale - nanoScale)
  }
})

const nanoScale = 9

const computeInputCost = (
  { audio, cacheRead, cacheWrite, prompt }: ExactPrice,
  { audioTokens, cacheWriteTokens, cachedTokens, inputTokens }: TokenUsage
): bigint | undefined => {
  const read = boundShare(cachedTokens, inputTokens)
  const written = boundShare(cacheWriteTokens, inputTokens - read)
  const heard = boundShare(audioTokens, inputTokens - read - written)
  const rest = inputTokens - read - written - heard
  return isUnknown(read, cacheRead) ||
    isUnknown(written, cacheWrite) ||
    isUnknown(heard, audio) ||
    isUnknown(rest, prompt)
    ? undefined
    : multiplyPrice(read, cacheRead) +
        multiplyPrice(written, cacheWrite) +
        multiplyPrice(heard, audio) +
        multiplyPrice(rest, prompt)
}

const computeOutputCost = (
  { audioOutput, completion, imageOutput }: ExactPrice,
  { audioOutputTokens, imageOutputTokens, outputTokens }: TokenUsage
): bigint | undefined => {
  const spoken = boundShare(audioOutputTokens, outputTokens)
  const drawn = boundShare(imageOutputTokens, outputTokens - spoken)
  const rest = outputTokens - spoken - drawn
  return isUnknown(spoken, audioOutput) ||
    isUnknown(drawn, imageOutput) ||
    isUnknown(rest, completion)
    ? undefined
    : multiplyPrice(spoken, audioOutput) +
        multiplyPrice(drawn, imageOutput) +
        multiplyPrice(rest, completion)
}

/** A share never exceeds the rest of the whole, whatever the upstream reports. */
const boundShare = (count: number | undefined, left: number): number =>
  count === undefined || !Number.isSafeInteger(count)
    ? 0
    : Math.max(Math.min(Math.max(count, 0), left), 0)

const isUnknown = (count: number, price: bigint | undefined): boolean =>
  count > 0 && price === undefined

const multiplyPrice = (count: number, price: bigint | undefined): bigint =>
  price === undefined || !(count > 0) ? 0n : BigInt(Math.ceil(count)) * price

/** The price list as the HTTP API shows it: an unknown price is `"-1"`. */
export const toPriceList = (
  price: Price
): PriceList & Required<Pick<PriceList, "prompt" | "completion" | "request" | "image">> => {
  const { audio, completion, image, others, prompt, request } = price
  return {
    prompt: encodePart(prompt),
    completion: encodePart(completion),
    request: encodePart(request),
    image: encodePart(image),
    ...(audio === undefined || BigDecimal.isZero(audio) ? undefined : { audio: encodePart(audio) }),
    ...Object.fromEntries(Object.entries(others).map(([name, part]) => [name, encodePart(part)]))
  }
}

const encodePart = (price: BigDecimal.BigDecimal | undefined): string =>
  price === undefined ? "-1" : formatDecimal(price)

/** Decimal notation, because `BigDecimal.format` uses exponents for long numbers. */
const formatDecimal = (price: BigDecimal.BigDecimal): string => {
  const { scale, value } = BigDecimal.normalize(price)
  if (scale <= 0) return String(value * 10n ** BigInt(-scale))
  const digits = String(value).padStart(scale + 1, "0")
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

const freePrice = make({ prompt: "0", completion: "0" })
const unknownPrice = make({})

/** A flat price of `usd` for the whole request; undefined: unknown. */
export const makeTotal = (usd: BigDecimal.BigDecimal | undefined): Price => ({
  ...(usd === undefined ? unknownPrice : freePrice),
  request: usd,
  approximate: {
    ...(usd === undefined ? unknownPrice : freePrice).approximate,
    request: toApproximate(usd)
  }
})
