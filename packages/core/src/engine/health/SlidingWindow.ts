/** Values in time buckets; old buckets are dropped. Time never goes back: a late value counts in the newest bucket. */
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
  if (index <= newest.index) {
    return { newest: { index: newest.index, value: addItems(newest.value, items) }, older }
  }
  const oldest = getOldestIndex(kind, at, retentionMillis)
  return {
    newest: { index, value: addItems(kind.empty, items) },
    older: [...older, newest].filter((bucket) => bucket.index >= oldest)
  }
}

/** Merges the buckets of the last `windowMillis`; a bucket counts until all of it is older. */
export const total = <A, Item>(
  kind: BucketAggregator<A, Item>,
  { newest, older }: SlidingWindow<A>,
  now: number,
  windowMillis: number
): A => {
  const oldest = getOldestIndex(kind, now, windowMillis)
  let sum = kind.empty
  for (const { index, value } of older) {
    if (index >= oldest) sum = kind.merge(sum, value)
  }
  return newest !== undefined && newest.index >= oldest ? kind.merge(sum, newest.value) : sum
}

const getOldestIndex = (
  { bucketMillis }: { readonly bucketMillis: number },
  now: number,
  windowMillis: number
): number => Math.floor((now - windowMillis) / bucketMillis)
