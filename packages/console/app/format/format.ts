/** Figures as people read them, in the language of the viewer, and in the zone that it prefers. */
import { getPreferences } from "../preferences/preferences.ts"

const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 })
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
  value === null || value === undefined ? unknown : numbers.format(value)

export const formatCompact = (value: number | null | undefined): string =>
  value === null || value === undefined ? unknown : compact.format(value)

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
  return format.format(`${usd}`)
}

export const formatMillis = (millis: number | null | undefined): string => {
  if (millis === null || millis === undefined) return unknown
  if (millis < 1_000) return `${numbers.format(millis)} ms`
  if (millis < 60_000) return `${(millis / 1_000).toFixed(millis < 10_000 ? 2 : 1)} s`
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
  if (percent > 0 && percent < 0.05) return "<0.1 %"
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : numbers.format(percent)} %`
}

/** A change, such as `+12 %`; of more than tenfold, `17 times`. */
export const formatSignedShare = (change: number): string =>
  change >= 9
    ? `${numbers.format(change + 1)} times`
    : `${change < 0 ? "−" : "+"}${formatShare(Math.abs(change))}`

/** With the year, unless that is the present one. */
export const formatTime = (at: number | string): string => {
  const date = new Date(at)
  const { otherYears, thisYear } = getPreferences().isUtc ? utcTimes : localTimes
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  return (isThisYear ? thisYear : otherYears).format(date)
}

/** How long ago, or how soon. */
export const formatRelative = (at: number | string, now: number): string => {
  const distance = now - new Date(at).getTime()
  return distance >= 0 ? `${formatSpan(distance)} ago` : `in ${formatSpan(-distance)}`
}
