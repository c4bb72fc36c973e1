/** Where the spending of a month will end, from what its latest days cost. Pure. */
import { bucketMillis } from "./Resolution.ts"

const { day } = bucketMillis

/** What an hour or a day cost. */
export interface BucketCost {
  /** When it began, in milliseconds since the epoch. */
  readonly at: number
  /** USD. */
  readonly cost: number
}

export interface Forecast {
  /** USD that are spent so far. */
  readonly spent: number
  /** USD at the end of the month, and between which two amounts that lies with 90 % probability. */
  readonly expected: number
  readonly low: number
  readonly high: number
  /** Full days that the rate is the mean of. */
  readonly days: number
}

/** A week has every weekday once, so weekends count as much as they are. */
const sampleDays = 7
/** Of a normal distribution, 90 % lie within so many standard deviations. */
const deviations = 1.645

/**
 * The run rate: every day to come costs as much as the mean of the last seven full days; fewer where there are fewer, at
 * least two. The interval takes the days for independent of each other. Undefined before there are two full days.
 * `buckets` may lack those that cost nothing. `firstAt` is when the first request was, as far as it is kept.
 */
export const forecastMonth = (
  buckets: ReadonlyArray<BucketCost>,
  {
    beganAt,
    endsAt,
    firstAt,
    now
  }: Readonly<Record<"beganAt" | "endsAt" | "firstAt" | "now", number>>
): Forecast | undefined => {
  const spent = sum(
    buckets.filter(({ at }) => at >= beganAt && at < endsAt).map(({ cost }) => cost)
  )
  const today = Math.floor(now / day) * day
  const byDay = Map.groupBy(buckets, ({ at }) => Math.floor(at / day) * day)
  const sample = Array.from({ length: sampleDays }, (_, ago) => today - (ago + 1) * day)
    // The first day is not a full one.
    .filter((at) => at >= firstAt)
    .map((at) => sum((byDay.get(at) ?? []).map(({ cost }) => cost)))
  if (sample.length < 2) return undefined
  const rate = sum(sample) / sample.length
  const variance = sum(sample.map((cost) => (cost - rate) ** 2)) / (sample.length - 1)
  const rest = Math.max(0, (endsAt - now) / day)
  const spread = deviations * Math.sqrt(variance * (rest + rest ** 2 / sample.length))
  const expected = spent + rate * rest
  return {
    spent,
    expected,
    low: Math.max(spent, expected - spread),
    high: expected + spread,
    days: sample.length
  }
}

const sum = (amounts: ReadonlyArray<number>): number =>
  amounts.reduce((total, amount) => total + amount, 0)
