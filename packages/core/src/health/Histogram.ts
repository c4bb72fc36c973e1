/**
 * A bounded sketch of how values are spread: counts in buckets that each are 15 % wider than the one
 * before, from 0.1 to 600,000, so that milliseconds and tokens per second share one scale. What is
 * read off it is within 7.5 % of a value that was added.
 *
 * `Metric.summary` of Effect keeps raw observations and forgets by count; its histograms never forget,
 * do not merge, and live in a registry that never gives one back: neither slides with a window.
 */
export interface Histogram {
  readonly count: number
  /** The bucket `counts` begins with; the buckets outside it are empty. */
  readonly first: number
  readonly counts: ReadonlyArray<number>
}

const buckets = 112
const lowest = 0.1
const growth = 1.15

export const empty: Histogram = { count: 0, first: 0, counts: [] }

export const add = (self: Histogram, value: number): Histogram => {
  const bucket = bucketOf(value)
  const at = bucket - self.first
  const known = self.counts[at]
  if (known === undefined) return merge(self, { count: 1, first: bucket, counts: [1] })
  const counts = self.counts.slice()
  counts[at] = known + 1
  return { count: self.count + 1, first: self.first, counts }
}

export const merge = (self: Histogram, that: Histogram): Histogram => {
  if (self.count === 0) return that
  if (that.count === 0) return self
  const first = Math.min(self.first, that.first)
  const end = Math.max(self.first + self.counts.length, that.first + that.counts.length)
  const counts: Array<number> = []
  for (let bucket = first; bucket < end; bucket++) counts.push(0)
  for (const { counts: more, first: start } of [self, that]) {
    for (let at = 0; at < more.length; at++) counts[start - first + at]! += more[at]!
  }
  return { count: self.count + that.count, first, counts }
}

/** The value that `share` of the values do not exceed (nearest rank); 0 when there are none. */
export const atMost = (self: Histogram, share: number): number =>
  atRank(self, Math.ceil(share * self.count))

/** The value that `share` of the values reach or exceed (nearest rank); 0 when there are none. */
export const atLeast = (self: Histogram, share: number): number =>
  atRank(self, self.count - Math.ceil(share * self.count) + 1)

/** The value at a rank counted from 1, the smallest. */
const atRank = ({ count, counts, first }: Histogram, rank: number): number => {
  if (count === 0) return 0
  let at = 0
  for (let below = counts[0]!; below < rank; below += counts[at]!) at++
  return middles[first + at]!
}

const bucketOf = (value: number): number => {
  if (!(value > lowest)) return 0
  return Math.min(buckets - 1, Math.floor(Math.log(value / lowest) / Math.log(growth)))
}

/** What stands for the values of a bucket; more than four digits would pretend. */
const middles = Array.from({ length: buckets }, (_, bucket) =>
  Number((lowest * growth ** (bucket + 0.5)).toPrecision(4))
)
