/**
 * A bounded histogram: counts in buckets that each are 15 % wider than the one
 * before, from 0.1 to 600,000, so that milliseconds and tokens per second share one scale. A
 * percentile is within 7.5 % of a value that was added.
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

const bucketCount = 112
const minValue = 0.1
const bucketGrowth = 1.15

export const empty: Histogram = { count: 0, first: 0, counts: [] }

const zeros: ReadonlyArray<number> = Array.from({ length: bucketCount }, () => 0)

/** Takes exactly as much memory as it needs: an array that grows by pushing keeps up to half as much again in reserve. */
const makeCounts = (length: number): Array<number> => zeros.slice(0, length)

export const add = (self: Histogram, value: number): Histogram => {
  const bucket = toBucket(value)
  const at = bucket - self.first
  const known = self.counts[at]
  if (known === undefined) return merge(self, { count: 1, first: bucket, counts: [1] })
  const counts = self.counts.slice()
  counts[at] = known + 1
  return { count: self.count + 1, first: self.first, counts }
}

/** `add` of what `read` finds in several items, with one copy; undefined: nothing. */
export const addAll = <Item>(
  self: Histogram,
  items: ReadonlyArray<Item>,
  read: (item: Item) => number | undefined
): Histogram => {
  let added = 0
  let first = bucketCount
  let last = 0
  for (let at = 0; at < items.length; at++) {
    const value = read(items[at]!)
    if (value === undefined) continue
    const bucket = toBucket(value)
    scratch[bucket]! += 1
    added += 1
    first = Math.min(first, bucket)
    last = Math.max(last, bucket)
  }
  if (added === 0) return self
  const whole = widen(self, first, last + 1, added)
  for (let bucket = first; bucket <= last; bucket++) {
    whole.counts[bucket - whole.first]! += scratch[bucket]!
    scratch[bucket] = 0
  }
  return whole
}

/** By bucket; zeros between two calls. */
const scratch = new Uint32Array(bucketCount)

export const merge = (self: Histogram, that: Histogram): Histogram => {
  if (self.count === 0) return that
  if (that.count === 0) return self
  const { counts: more, count, first } = that
  const whole = widen(self, first, first + more.length, count)
  for (let at = 0; at < more.length; at++) whole.counts[first - whole.first + at]! += more[at]!
  return whole
}

/** A copy that has the buckets from `first` up to `end` as well, and a total for the counts that are to be added there. */
const widen = (
  self: Histogram,
  first: number,
  end: number,
  added: number
): Histogram & { readonly counts: Array<number> } => {
  const isEmpty = self.count === 0
  const from = isEmpty ? first : Math.min(first, self.first)
  const to = isEmpty ? end : Math.max(end, self.first + self.counts.length)
  const counts = makeCounts(to - from)
  for (let at = 0; at < self.counts.length; at++) counts[self.first - from + at] = self.counts[at]!
  return { count: self.count + added, first: from, counts }
}

/** `merge` of any number, with one copy. */
export const mergeAll = (all: ReadonlyArray<Histogram>): Histogram => {
  let first = Infinity
  let end = 0
  let count = 0
  let latest = empty
  let distinct = 0
  for (const each of all) {
    if (each.count === 0) continue
    distinct += 1
    latest = each
    count += each.count
    first = Math.min(first, each.first)
    end = Math.max(end, each.first + each.counts.length)
  }
  if (distinct < 2) return latest
  const counts = makeCounts(end - first)
  for (const { count, counts: more, first: start } of all) {
    if (count === 0) continue
    for (let at = 0; at < more.length; at++) counts[start - first + at]! += more[at]!
  }
  return { count, first, counts }
}

/** The value that `share` of the values do not exceed (nearest rank); 0 when there are none. */
export const getQuantile = (self: Histogram, share: number): number =>
  getValueAtRank(self, Math.ceil(share * self.count))

/** The value that `share` of the values reach or exceed (nearest rank); 0 when there are none. */
export const getUpperQuantile = (self: Histogram, share: number): number =>
  getValueAtRank(self, self.count - Math.ceil(share * self.count) + 1)

/** The value at a rank counted from 1, the smallest. */
const getValueAtRank = ({ count, counts, first }: Histogram, rank: number): number => {
  if (count === 0) return 0
  let at = 0
  for (let below = counts[0]!; below < rank; below += counts[at]!) at++
  return bucketMidpoints[first + at]!
}

/** The bucket that counts a value, from 0. */
export const toBucket = (value: number): number => {
  if (!(value > minValue)) return 0
  return Math.min(bucketCount - 1, Math.floor(Math.log(value / minValue) / Math.log(bucketGrowth)))
}

/** The value that represents a bucket, rounded to four digits because more would suggest false precision. */
const bucketMidpoints = Array.from({ length: bucketCount }, (_, bucket) =>
  Number((minValue * bucketGrowth ** (bucket + 0.5)).toPrecision(4))
)
