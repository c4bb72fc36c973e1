/** What usage costs, exactly, in whole nano-USD. */
import * as BigDecimal from "effect/BigDecimal"
import { memoize } from "effect/Function"
import { map as mapRecord } from "effect/Record"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { ServedConditions } from "../../../values/usage/ModelUsage.ts"
import {
  type TokenUsage,
  getImageCount,
  getRequestCount
} from "../../../values/usage/TokenUsage.ts"
import {
  findHighestPrice,
  findHourPrice,
  findInputPrice,
  findUnitPrice,
  type Price,
  selectHighestPrice,
  selectPrice
} from "./Price.ts"
import type { OtherPartName, PartPrice } from "./PriceList.ts"

/**
 * The cost of `usage` at a time, for its prompt: the mean one of several requests. Otherwise like `computeCost`.
 */
export const computeCostAt = (
  price: Price,
  usage: TokenUsage,
  at: number,
  conditions?: ServedConditions
): NanoUsd.NanoUsd | undefined =>
  price.conditional === undefined
    ? computeCost(price, usage)
    : computeCost(
        selectPrice(price, {
          at,
          conditions,
          promptTokens: usage.inputTokens / Math.max(1, getRequestCount(usage))
        }),
        usage
      )

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
  const { audioMillis = 0, characters = 0, webSearches = 0 } = usage
  const requests = getRequestCount(usage)
  const images = getImageCount(usage)
  if (exact.webSearch === undefined && webSearches > 0) return undefined
  if (exact.character === undefined && characters > 0) return undefined
  if (exact.millisecond === undefined && audioMillis > 0) return undefined
  if (exact.request === undefined && requests > 0) return undefined
  if (exact.image === undefined && images > 0) return undefined
  const cost =
    input +
    output +
    multiplyPrice(requests, exact.request) +
    multiplyPrice(images, exact.image) +
    multiplyPrice(webSearches, exact.webSearch) +
    multiplyPrice(characters, exact.character) +
    multiplyPrice(audioMillis, exact.millisecond)
  const nanos = (cost + exact.unitsPerNano - 1n) / exact.unitsPerNano
  return NanoUsd.min(NanoUsd.make(nanos), NanoUsd.maxAmount)
}

/**
 * The maximum cost of `usage` at any time, for every split of its tokens among the parts with prices of their own;
 * undefined when a price that may be required is unknown.
 */
export const computeMaxCost = (listed: Price, usage: TokenUsage): NanoUsd.NanoUsd | undefined => {
  const { audioOutputTokens = 0, imageOutputTokens = 0 } = usage
  const price = selectHighestPrice(listed, usage.inputTokens)
  return computeCost(
    audioOutputTokens > 0 || imageOutputTokens > 0
      ? toMaxPrice(price, audioOutputTokens > 0, imageOutputTokens > 0)
      : toMaxTextPrice(price),
    usage
  )
}

const toMaxPrice = (price: Price, hasAudioOutput: boolean, hasImageOutput: boolean): Price => {
  const read = findHighestPrice(
    price.prompt,
    findInputPrice(price, "input_cache_read"),
    findInputPrice(price, "input_cache_write"),
    findHourPrice(price)
  )
  const written = findHighestPrice(
    price.completion,
    hasAudioOutput ? findOutputPrice(price, "audio_output") : price.completion,
    hasImageOutput ? findOutputPrice(price, "image_output") : price.completion
  )
  const heard = findHighestPrice(read, findAudioPrice(price))
  const others = pickUnitPrices(price)
  return { ...price, prompt: read, completion: written, audio: heard, others }
}

const toMaxTextPrice = memoize((price: Price) => toMaxPrice(price, false, false))

/** The parts that no tokens are charged by. */
const pickUnitPrices = ({ others }: Price): Price["others"] =>
  Object.fromEntries(
    unitParts.flatMap((name) => (Object.hasOwn(others, name) ? [[name, others[name]]] : []))
  )

const unitParts = ["web_search", "character", "second"] as const

/** The price of some output tokens; default: the price of the completion. */
const findOutputPrice = ({ completion, others }: Price, name: OtherPartName): PartPrice =>
  Object.hasOwn(others, name) ? others[name] : completion

/** The price of audio input; default: the price of the prompt. */
const findAudioPrice = ({ audio, prompt }: Price): PartPrice =>
  audio !== undefined && BigDecimal.isZero(audio) ? prompt : audio

const free = BigDecimal.make(0n, 0)

const findSearchPrice = ({ others }: Price): PartPrice =>
  Object.hasOwn(others, "web_search") ? others.web_search : free

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
    | "cacheWriteHour"
    | "audioOutput"
    | "imageOutput"
    | "webSearch"
    | "character"
    | "millisecond",
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
    cacheWriteHour: findHourPrice(price),
    audioOutput: findOutputPrice(price, "audio_output"),
    imageOutput: findOutputPrice(price, "image_output"),
    webSearch: findSearchPrice(price),
    character: findUnitPrice(price, "character"),
    millisecond: toMillisecondPrice(findUnitPrice(price, "second"))
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

const toMillisecondPrice = (second: PartPrice): PartPrice =>
  second === undefined ? undefined : BigDecimal.make(second.value, second.scale + 3)

const computeInputCost = (
  { audio, cacheRead, cacheWrite, cacheWriteHour, prompt }: ExactPrice,
  { audioTokens, cacheWrite1hTokens, cacheWriteTokens, cachedTokens, inputTokens }: TokenUsage
): bigint | undefined => {
  const read = boundShare(cachedTokens, inputTokens)
  const written = boundShare(cacheWriteTokens, inputTokens - read)
  const hour = boundShare(cacheWrite1hTokens, written)
  const heard = boundShare(audioTokens, inputTokens - read - written)
  const rest = inputTokens - read - written - heard
  return isUnknown(read, cacheRead) ||
    isUnknown(written - hour, cacheWrite) ||
    isUnknown(hour, cacheWriteHour) ||
    isUnknown(heard, audio) ||
    isUnknown(rest, prompt)
    ? undefined
    : multiplyPrice(read, cacheRead) +
        multiplyPrice(written - hour, cacheWrite) +
        multiplyPrice(hour, cacheWriteHour) +
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

/** A share never exceeds the rest of the whole, although an upstream may report more. */
const boundShare = (count: number | undefined, left: number): number =>
  count === undefined || !Number.isSafeInteger(count)
    ? 0
    : Math.max(Math.min(Math.max(count, 0), left), 0)

const isUnknown = (count: number, price: bigint | undefined): boolean =>
  count > 0 && price === undefined

const multiplyPrice = (count: number, price: bigint | undefined): bigint =>
  price === undefined || !(count > 0) ? 0n : BigInt(Math.ceil(count)) * price
