/** How a figure of the overview has changed since the time before. */
import type { Point, SeriesData } from "../../charts/fillBuckets.ts"
import { formatDecimal, formatSignedShare, unknown } from "../../format/format.ts"

/** Such as `+12 % from before`; undefined where there is nothing to compare with. */
export const describeChange = (
  now: number | null | undefined,
  before: number | null | undefined
): string | undefined => {
  if (now == null || before == null || before === 0) return undefined
  const change = now / before - 1
  if (Math.abs(change) < 0.005) return "as before"
  return `${formatSignedShare(change)} ${change >= 9 ? "what it was before" : "from before"}`
}

/** Shares are compared by points: of 99 %, 98 % are one less. */
export const describePoints = (
  now: number | null | undefined,
  before: number | null | undefined
): string | undefined => {
  if (now == null || before == null) return undefined
  const points = (now - before) * 100
  const size = Math.abs(points)
  return size < 0.05
    ? "as before"
    : `${points < 0 ? "−" : "+"}${formatDecimal(size, 1)} points from before`
}

/** The share of requests that were answered; null without any. */
export const toSuccessShare = (
  figures: Readonly<Record<"errors" | "requests", number>> | undefined
): number | null =>
  figures === undefined || figures.requests === 0 ? null : 1 - figures.errors / figures.requests

/** Rounded down, so that no failure hides behind 100 %. */
export const formatSuccess = (share: number | null): string =>
  share === null ? unknown : `${Math.floor(share * 10_000 + 1e-9) / 100} %`

/** Adds a figure of the buckets up that began from `from` on and before `to`, in milliseconds since the epoch. */
export const sumBetween = (
  data: SeriesData | undefined,
  pick: (point: Point) => number,
  from: number,
  to: number
): number =>
  (data?.series[0]?.points ?? []).reduce((sum, point) => {
    const at = Date.parse(point.at)
    return at >= from && at < to ? sum + pick(point) : sum
  }, 0)
