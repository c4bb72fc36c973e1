/**
 * Values in buckets of time, of which the old ones fall away. The clock may go backwards: what is late
 * by a bucket counts in the newest, and buckets that a clock set back puts in the future are forgotten.
 */
export interface SlidingWindow<A> {
  readonly newest: Bucket<A> | undefined
  /** Oldest first. */
  readonly older: ReadonlyArray<Bucket<A>>
}

interface Bucket<A> {
  /** How many whole buckets of time since the epoch came before it. */
  readonly index: number
  readonly value: A
}

/** What a bucket holds and how long it is. */
export interface BucketAggregator<A, Item> {
  readonly bucketMillis: number
  readonly empty: A
  readonly add: (value: A, item: Item) => A
  readonly merge: (self: A, that: A) => A
}

export const empty: SlidingWindow<never> = { newest: undefined, older: [] }

/** Adds what happened at `at`; buckets that a window of `keepMillis` no longer needs go. */
export const add = <A, Item>(
  kind: BucketAggregator<A, Item>,
  window: SlidingWindow<A>,
  item: Item,
  at: number,
  retentionMillis: number
): SlidingWindow<A> => {
  const index = Math.floor(at / kind.bucketMillis)
  const { newest, older } = window
  if (newest === undefined) {
    return { newest: { index, value: kind.add(kind.empty, item) }, older }
  }
  if (index === newest.index || index === newest.index - 1) {
    return { newest: { index: newest.index, value: kind.add(newest.value, item) }, older }
  }
  if (index > newest.index) {
    const oldest = getOldestIndex(kind, at, retentionMillis)
    return {
      newest: { index, value: kind.add(kind.empty, item) },
      older: [...older, newest].filter((bucket) => bucket.index >= oldest)
    }
  }
  const past = older.filter((bucket) => bucket.index <= index)
  return add(kind, { newest: past.at(-1), older: past.slice(0, -1) }, item, at, retentionMillis)
}

/** The buckets of the last `windowMillis` in one; a bucket counts until all of it is older. */
export const total = <A, Item>(
  kind: BucketAggregator<A, Item>,
  { newest, older }: SlidingWindow<A>,
  now: number,
  windowMillis: number
): A => {
  const oldest = getOldestIndex(kind, now, windowMillis)
  const latest = Math.floor(now / kind.bucketMillis) + 1
  let sum = kind.empty
  for (const { index, value } of older) {
    if (index >= oldest && index <= latest) sum = kind.merge(sum, value)
  }
  return newest !== undefined && newest.index >= oldest && newest.index <= latest
    ? kind.merge(sum, newest.value)
    : sum
}

const getOldestIndex = (
  { bucketMillis }: { readonly bucketMillis: number },
  now: number,
  windowMillis: number
): number => Math.floor((now - windowMillis) / bucketMillis)
