/** What an endpoint charges, exactly, in USD per unit. */
import * as BigDecimal from "effect/BigDecimal"
import { map as mapRecord } from "effect/Record"
import type { ConditionName } from "../../../values/usage/ModelUsage.ts"
import { checkFieldNames } from "../../../values/validation/checkFieldNames.ts"
import {
  isSoldByLength,
  type OtherPartName,
  otherParts,
  parsePart,
  type PartList,
  type PartPrice,
  priceFieldNames,
  type PriceList,
  toOverridePath
} from "./PriceList.ts"
import {
  findOverrideProblem,
  isApplicable,
  overridableParts,
  type PricedMoment,
  type PriceOverride
} from "./PriceOverride.ts"

/** What an endpoint charges, in USD per unit: per token, request, image, character or second. */
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
    Record<
      | "prompt"
      | "completion"
      | "request"
      | "image"
      | "audio"
      | "cacheRead"
      | "character"
      | "second",
      number
    >
  >
  readonly discount?: number
  /** Absent: the price is the same for every prompt and at every time. */
  readonly conditional?: ConditionalPrice
}

/** A price that depends on the prompt and the time. */
interface ConditionalPrice {
  readonly overrides: ReadonlyArray<PriceOverride>
  /** With these overrides, in their order. */
  readonly get: (applicable: ReadonlyArray<PriceOverride>) => Price
  /** The highest price of each part, with any of these overrides. */
  readonly getHighest: (possible: ReadonlyArray<PriceOverride>) => Price
}

const zero = BigDecimal.make(0n, 0)

/** Throws a `RangeError` that names an invalid part. */
export const make = (list: PriceList): Price => {
  checkFieldNames(list, "part of a price", priceFieldNames, "price.")
  const { discount = 0, overrides = [], ...parts } = list
  if (!(discount >= 0 && discount <= 1)) {
    throw new RangeError(`price.discount must be a number from 0 to 1, got ${String(discount)}`)
  }
  if (!Array.isArray(overrides)) throw new RangeError("price.overrides must be a list")
  const base = parseParts(parts, discount)
  for (const [index, override] of overrides.entries()) {
    const problem = findOverrideProblem(override)
    if (problem !== undefined) throw new RangeError(`${toOverridePath(index)} ${problem}`)
    for (const name of overridableParts) parsePart(override, name, toOverridePath(index))
  }
  return overrides.length === 0 ? base : makeConditional(parts, base, overrides, discount)
}

const parseParts = (list: PartList, discount: number): Price => {
  const parse = (name: keyof PartList, absent?: BigDecimal.BigDecimal): PartPrice =>
    takeOff(discount, parsePart(list, name, "price", absent))
  const absent = isSoldByLength(list) ? zero : undefined
  const ranked = {
    prompt: parse("prompt", absent),
    completion: parse("completion", absent),
    request: parse("request", zero),
    image: parse("image", zero),
    audio: parse("audio", zero)
  }
  const others = Object.fromEntries(
    otherParts.flatMap((name) => (list[name] === undefined ? [] : [[name, parse(name)]]))
  )
  const cacheRead = findInputPrice({ others, prompt: ranked.prompt }, "input_cache_read")
  return {
    ...ranked,
    others,
    approximate: mapRecord(
      {
        ...ranked,
        cacheRead,
        character: findUnitPrice({ others }, "character"),
        second: findUnitPrice({ others }, "second")
      },
      toApproximate
    ),
    ...(discount === 0 ? undefined : { discount })
  }
}

const takeOff = (discount: number, price: PartPrice): PartPrice =>
  price === undefined || discount === 0
    ? price
    : BigDecimal.multiply(
        price,
        BigDecimal.subtract(BigDecimal.make(1n, 0), BigDecimal.fromNumberUnsafe(discount))
      )

const makeConditional = (
  parts: PartList,
  base: Price,
  overrides: ReadonlyArray<PriceOverride>,
  discount: number
): Price => {
  const cache = (compute: ConditionalPrice["get"]): ConditionalPrice["get"] => {
    const byKey = new Map<string, Price>()
    return (some) => {
      const key = overrides.map((each) => (some.includes(each) ? "1" : "0")).join("")
      let price = byKey.get(key)
      if (price === undefined) {
        price = compute(some)
        byKey.set(key, price)
      }
      return price
    }
  }
  const conditional: ConditionalPrice = {
    overrides,
    get: cache((applicable) => ({
      ...parseParts(Object.assign({ ...parts }, ...applicable.map(pickParts)), discount),
      conditional
    })),
    getHighest: cache((possible) =>
      toHighestPrice(
        base,
        possible.map((override) => parseOverride(override, discount))
      )
    )
  }
  return { ...base, conditional }
}

type OverriddenParts = Readonly<Partial<Record<(typeof overridableParts)[number], PartPrice>>>

const pickParts = (override: PriceOverride): PartList =>
  Object.fromEntries(
    overridableParts.flatMap((name) =>
      override[name] === undefined ? [] : [[name, override[name]]]
    )
  )

const parseOverride = (override: PriceOverride, discount: number): OverriddenParts =>
  Object.fromEntries(
    overridableParts.flatMap((name) =>
      override[name] === undefined
        ? []
        : [[name, takeOff(discount, parsePart(override, name, "price"))]]
    )
  )

/** The upper bound of each part, for every combination of overrides. */
const toHighestPrice = (base: Price, overridden: ReadonlyArray<OverriddenParts>): Price => {
  const raise = (name: (typeof overridableParts)[number], from: PartPrice): PartPrice =>
    findHighestPrice(
      from,
      ...overridden.flatMap((parts) => (Object.hasOwn(parts, name) ? [parts[name]] : []))
    )
  const prompt = raise("prompt", base.prompt)
  const unstated = { ...base, prompt }
  const cacheWrite = raise("input_cache_write", findInputPrice(unstated, "input_cache_write"))
  const others = {
    ...base.others,
    input_cache_read: raise("input_cache_read", findInputPrice(unstated, "input_cache_read")),
    input_cache_write: cacheWrite,
    input_cache_write_1h: raise(
      "input_cache_write_1h",
      Object.hasOwn(base.others, "input_cache_write_1h")
        ? base.others.input_cache_write_1h
        : cacheWrite
    )
  }
  const completion = raise("completion", base.completion)
  // An audio price of 0 means the price of the prompt.
  const audio = findHighestPrice(prompt, raise("audio", base.audio))
  return { ...base, prompt, completion, audio, others }
}

/** The price for this prompt at this time. */
export const selectPrice = (price: Price, moment: PricedMoment): Price => {
  const { conditional } = price
  return conditional === undefined
    ? price
    : conditional.get(conditional.overrides.filter((override) => isApplicable(override, moment)))
}

/** Whether it says what answers cost under a condition of how they are served. */
export const hasCondition = ({ conditional }: Price, name: ConditionName, value: string): boolean =>
  conditional?.overrides.some((override) => override[name] === value) === true

/** The highest price for a prompt of at most so many tokens, at any time. */
export const selectHighestPrice = (price: Price, promptTokens: number): Price => {
  const { conditional } = price
  return conditional === undefined
    ? price
    : conditional.getHighest(
        conditional.overrides.filter(
          ({ min_prompt_tokens = -1 }) => min_prompt_tokens < promptTokens
        )
      )
}

const toApproximate = (price: BigDecimal.BigDecimal | undefined): number =>
  price === undefined ? Number.NaN : BigDecimal.toNumberUnsafe(price)

/** Whether nothing that it states costs anything, with any prompt and at any time. */
export const isFree = (price: Price): boolean => {
  const { approximate, others } = selectHighestPrice(price, Infinity)
  return (
    Object.values(approximate).every((part) => part === 0) &&
    Object.values(others).every((part) => part !== undefined && BigDecimal.isZero(part))
  )
}

/** Whether every part that requests are charged for is known, for any prompt and at any time. */
export const isKnown = (price: Price): boolean => {
  const highest = selectHighestPrice(price, Infinity)
  return (
    highest.prompt !== undefined &&
    highest.completion !== undefined &&
    highest.request !== undefined &&
    highest.audio !== undefined &&
    findInputPrice(highest, "input_cache_read") !== undefined &&
    findInputPrice(highest, "input_cache_write") !== undefined &&
    findHourPrice(highest) !== undefined &&
    findUnitPrice(highest, "character") !== undefined &&
    findUnitPrice(highest, "second") !== undefined
  )
}

/** The price of some prompt tokens; default: the price of the prompt. */
export const findInputPrice = (
  { others, prompt }: Pick<Price, "others" | "prompt">,
  name: OtherPartName
): PartPrice => (Object.hasOwn(others, name) ? others[name] : prompt)

/** The price of a character or a second; default: nothing. */
export const findUnitPrice = (
  { others }: Pick<Price, "others">,
  name: "character" | "second"
): PartPrice => (Object.hasOwn(others, name) ? others[name] : zero)

/** The price of prompt tokens that a cache keeps for an hour; default: the price of cache writes. */
export const findHourPrice = (price: Price): PartPrice =>
  Object.hasOwn(price.others, "input_cache_write_1h")
    ? price.others.input_cache_write_1h
    : findInputPrice(price, "input_cache_write")

export const findHighestPrice = (
  first: PartPrice,
  ...others: ReadonlyArray<PartPrice>
): PartPrice =>
  others.reduce(
    (most, part) =>
      most === undefined || part === undefined ? undefined : BigDecimal.max(most, part),
    first
  )

/** The price list as the HTTP API shows it, after the discount: an unknown price is `"-1"`. */
export const toPriceList = (
  price: Price
): PriceList & Required<Pick<PriceList, "prompt" | "completion" | "request" | "image">> => {
  const { audio, completion, conditional, discount, image, others, prompt, request } = price
  return {
    prompt: encodePart(prompt),
    completion: encodePart(completion),
    request: encodePart(request),
    image: encodePart(image),
    ...(audio === undefined || BigDecimal.isZero(audio) ? undefined : { audio: encodePart(audio) }),
    ...Object.fromEntries(Object.entries(others).map(([name, part]) => [name, encodePart(part)])),
    ...(discount === undefined ? undefined : { discount }),
    ...(conditional === undefined
      ? undefined
      : { overrides: conditional.overrides.map((each) => encodeOverride(each, discount)) })
  }
}

const encodeOverride = (override: PriceOverride, discount = 0): PriceOverride => {
  const parts = Object.entries(parseOverride(override, discount))
  return {
    ...override,
    ...Object.fromEntries(parts.map(([name, part]) => [name, encodePart(part)]))
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
