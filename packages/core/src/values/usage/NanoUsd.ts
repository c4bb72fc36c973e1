/** Money: an integer of nano-USD (1e-9 USD), never a float. The price of a token is finer: `catalog/endpoint/Price.ts`. */
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export const NanoUsd = Schema.BigInt.pipe(Schema.brand("NanoUsd"))
export type NanoUsd = typeof NanoUsd.Type

const nanosPerUsd = BigDecimal.make(1_000_000_000n, 0)

export const make = (amount: bigint): NanoUsd => amount as NanoUsd

export const zero: NanoUsd = make(0n)

/** Rounds up to whole nano-USD. */
export const fromUsd = (usd: BigDecimal.BigDecimal): NanoUsd =>
  make(BigDecimal.scale(BigDecimal.ceil(BigDecimal.multiply(usd, nanosPerUsd), 0), 0).value)

/** Reads a decimal string of USD such as `"12.50"`; throws a `RangeError` for anything else. */
export const parseUsd = (text: string): NanoUsd => {
  const usd =
    typeof text === "string" ? Option.getOrUndefined(BigDecimal.fromString(text)) : undefined
  if (usd === undefined || text.trim() === "" || BigDecimal.isNegative(usd)) {
    throw new RangeError(
      `expected a decimal string of USD such as "12.50", got ${JSON.stringify(text)}`
    )
  }
  return fromUsd(usd)
}

/**
 * Reads a number of USD as reported by an upstream. Digits beyond twelve decimals are noise of floating-point sums,
 * such as 0.30000000000000004, and are not rounded up.
 */
export const fromUsdNumber = (usd: number): NanoUsd => {
  const text = usd.toFixed(12)
  // Without the exponent that `toFixed` uses for larger numbers.
  if (!(usd >= 0 && usd < 1e21)) return parseUsd(text)
  const point = text.length - 13
  const nanos = BigInt(text.slice(0, point) + text.slice(point + 1, point + 10))
  return make(text.endsWith("000") ? nanos : nanos + 1n)
}

/** The number of USD that the HTTP API shows, such as `usage.cost`. */
export const toUsdNumber = (amount: NanoUsd): number => Number(amount) / 1e9

/** The exact amount as a decimal of USD, such as `0.000026`. */
export const toUsdText = (amount: NanoUsd): string => {
  const digits = String(amount).padStart(10, "0")
  const fraction = digits.slice(-9).replace(/0+$/, "")
  return `${digits.slice(0, -9)}${fraction === "" ? "" : `.${fraction}`}`
}

export const max = (self: NanoUsd, that: NanoUsd): NanoUsd => (self > that ? self : that)

export const min = (self: NanoUsd, that: NanoUsd): NanoUsd => (self < that ? self : that)

/**
 * The maximum amount, more than two billion USD. Four times this amount fits into the signed 64 bits of databases.
 */
export const maxAmount: NanoUsd = make(2n ** 61n - 1n)

/** The sum, at most `maxAmount`. */
export const sum = (self: NanoUsd, that: NanoUsd): NanoUsd => min(make(self + that), maxAmount)
