/** Figures as people read them, in the language of the viewer, and in the zone that it prefers. */
import { getPreferences } from "../preferences/preferences.ts"

/**
 * Marks of direction that Intl writes in languages from right to left. The page is written from left to right, and would show them
 * as the escapes that they are in names of others.
 */
const marks = /[\u061c\u200e\u200f\u2066-\u2069]/g

export const plain = (text: string): string => text.replace(marks, "")

const makeNumbers = (options: Intl.NumberFormatOptions): ((value: number) => string) => {
  const numbers = new Intl.NumberFormat(undefined, options)
  return (value) => plain(numbers.format(value))
}
const whole = makeNumbers({ maximumFractionDigits: 0 })
const compact = makeNumbers({ notation: "compact", maximumFractionDigits: 1 })
const decimals = [1, 2, 3].map((digits) =>
  makeNumbers({ minimumFractionDigits: digits, maximumFractionDigits: digits })
)

/** With that many digits after the point of the viewer's language, 0 to 3. */
export const formatDecimal = (value: number, digits: number): string =>
  (decimals[digits - 1] ?? whole)(value)

const timeParts = {
  month: "short",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit"
} as const
const makeTimeFormats = (zone: Intl.DateTimeFormatOptions) => ({
  thisYear: new Intl.DateTimeFormat(undefined, { ...timeParts, ...zone }),
  otherYears: new Intl.DateTimeFormat(undefined, { ...timeParts, ...zone, year: "numeric" })
})
const localTimes = makeTimeFormats({})
const utcTimes = makeTimeFormats({ timeZone: "UTC" })

/** What stands in place of a figure that is unknown. */
export const unknown = "–"

export const formatCount = (value: number | null | undefined): string =>
  value === null || value === undefined ? unknown : whole(value)

export const formatCompact = (value: number | null | undefined): string =>
  value === null || value === undefined ? unknown : compact(value)

/** To the cent, below a dollar with up to three significant digits; `formatExactMoney` is for the title of the element. */
export const formatMoney = (usd: number | null | undefined): string => {
  if (usd === null || usd === undefined) return unknown
  const size = Math.abs(usd)
  const isSmall = size > 0 && size < 1
  return formatDollars(usd, isSmall ? 2 - Math.floor(Math.log10(size)) : 2)
}

/** Prices are billionths of a dollar. */
export const formatExactMoney = (usd: number): string => formatDollars(usd, 9)

const currencies = new Map<number, Intl.NumberFormat>()

/** `digits` after the point at most, and at least two. */
const formatDollars = (usd: number, digits: number): string => {
  const known = currencies.get(digits)
  const format =
    known ??
    new Intl.NumberFormat(undefined, {
      style: "currency",
      currency: "USD",
      maximumFractionDigits: digits
    })
  if (known === undefined) currencies.set(digits, format)
  // A string is rounded as the decimal that it is, a number as the binary fraction next to it.
  return plain(format.format(`${usd}`))
}

export const formatMillis = (millis: number | null | undefined): string => {
  if (millis === null || millis === undefined) return unknown
  if (millis < 1_000) return `${whole(millis)} ms`
  if (millis < 60_000) return `${formatDecimal(millis / 1_000, millis < 10_000 ? 2 : 1)} s`
  return formatSpan(millis)
}

/** A time span of at least a second, in its two largest units. */
export const formatSpan = (millis: number): string => {
  const seconds = Math.max(0, Math.round(millis / 1_000))
  const units: ReadonlyArray<readonly [number, string]> = [
    [86_400, "d"],
    [3_600, "h"],
    [60, "min"],
    [1, "s"]
  ]
  const at = units.findIndex(([length]) => seconds >= length)
  if (at === -1) return "0 s"
  const [length, name] = units[at]!
  const smaller = units[at + 1]
  const whole = Math.floor(seconds / length)
  const rest = smaller === undefined ? 0 : Math.floor((seconds % length) / smaller[0])
  return rest === 0 ? `${whole} ${name}` : `${whole} ${name} ${rest} ${smaller![1]}`
}

/** `share` is from 0 to 1. */
export const formatShare = (share: number | null | undefined): string => {
  if (share === null || share === undefined || Number.isNaN(share)) return unknown
  const percent = share * 100
  if (percent > 0 && percent < 0.05) return `<${formatDecimal(0.1, 1)} %`
  return `${formatDecimal(percent, percent > 0 && percent < 10 ? 1 : 0)} %`
}

/** A change, such as `+12 %`; of more than tenfold, `17 times`. */
export const formatSignedShare = (change: number): string =>
  change >= 9
    ? `${whole(change + 1)} times`
    : `${change < 0 ? "−" : "+"}${formatShare(Math.abs(change))}`

/** With the year, unless that is the present one. */
export const formatTime = (at: number | string): string => {
  const date = new Date(at)
  const { isUtc } = getPreferences()
  const { otherYears, thisYear } = isUtc ? utcTimes : localTimes
  const toYear = (each: Date) => (isUtc ? each.getUTCFullYear() : each.getFullYear())
  return plain((toYear(date) === toYear(new Date()) ? thisYear : otherYears).format(date))
}

/** How long ago, or how soon. */
export const formatRelative = (at: number | string, now: number): string => {
  const distance = now - new Date(at).getTime()
  return distance >= 0 ? `${formatSpan(distance)} ago` : `in ${formatSpan(-distance)}`
}
