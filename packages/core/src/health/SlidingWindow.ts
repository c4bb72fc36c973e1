/**
 * Values in time buckets, of which old ones are dropped. The clock may go backwards: a value late
 * by a bucket counts in the newest, and buckets in the future are dropped.
 */
export interface SlidingWindow<A> {
  readonly newest: Bucket<A> | undefined
  /** Oldest first. */
  readonly older: ReadonlyArray<Bucket<A>>
}

interface Bucket<A> {
  /** The number of whole buckets since the epoch. */
  readonly index: number
  readonly value: A
}

/** The content of a bucket and its length. */
export interface BucketAggregator<A, Item> {
  readonly bucketMillis: number
  readonly empty: A
  readonly add: (value: A, item: Item) => A
  readonly merge: (self: A, that: A) => A
}

export const empty: SlidingWindow<never> = { newest: undefined, older: [] }

/** Adds a value at `at` and drops buckets older than `keepMillis`. */
export const add = <A, Item>(
  kind: BucketAggregator<A, Item>,
  window: SlidingWindow<A>,
  item: Item,
  at: number,
  retentionMillis: number
): SlidingWindow<A> => addAll(kind, window, item, at, retentionMillis, kind.add)

/** `add` of several items at `at`, by a function that adds all of them. */
export const addAll = <A, Item, Items>(
  kind: BucketAggregator<A, Item>,
  window: SlidingWindow<A>,
  items: Items,
  at: number,
  retentionMillis: number,
  addItems: (value: A, items: Items) => A
): SlidingWindow<A> => {
  const index = Math.floor(at / kind.bucketMillis)
  const { newest, older } = window
  if (newest === undefined) {
    return { newest: { index, value: addItems(kind.empty, items) }, older }
  }
  if (index === newest.index || index === newest.index - 1) {
    return { newest: { index: newest.index, value: addItems(newest.value, items) }, older }
  }
  if (index > newest.index) {
    const oldest = getOldestIndex(kind, at, retentionMillis)
    return {
      newest: { index, value: addItems(kind.empty, items) },
      older: [...older, newest].filter((bucket) => bucket.index >= oldest)
    }
  }
  const past = older.filter((bucket) => bucket.index <= index)
  const left = { newest: past.at(-1), older: past.slice(0, -1) }
  return addAll(kind, left, items, at, retentionMillis, addItems)
}

/** Merges the buckets of the last `windowMillis`; a bucket counts until all of it is older. */
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
