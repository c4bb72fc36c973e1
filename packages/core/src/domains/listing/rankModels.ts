/** Orders of the catalog, by index: the whole catalog is sorted once, and queries walk through it. */
import * as Bits from "./BitSet.ts"
import type { ModelIndex } from "./ModelIndex.ts"
import type { ModelSort } from "./ModelQuery.ts"

/** Every index once. */
export type Ranking = Uint32Array

/** A sort key that changes while the configuration stays the same. */
export type LiveMetric = "throughput" | "latency" | "weeklyTokens"

/** Undefined when the order depends on the configuration alone. */
export const findLiveMetric = (sort: ModelSort): LiveMetric | undefined =>
  Object.hasOwn(liveMetricBySort, sort)
    ? liveMetricBySort[sort as keyof typeof liveMetricBySort]
    : undefined

/**
 * Models without a value come last in either direction; equal ones stay in the default order. `measured` has the
 * values of live sorts by index, NaN when unknown.
 */
export const rankModels = (
  { columns, models }: ModelIndex,
  sort: ModelSort | undefined,
  measured: Float64Array = new Float64Array(models.length).fill(Number.NaN)
): Ranking => {
  const indexes = Uint32Array.from(models, (_, place) => place)
  if (sort === undefined || sort === "newest") return indexes
  const { direction, getValue } = sortRules[sort](columns, measured)
  return indexes.toSorted(
    (one, other) => compareValues(getValue(one), getValue(other), direction) || one - other
  )
}

/** The ranked indexes in `found`: at most `limit`, from `offset` on. */
export const takePage = (
  found: Bits.BitSet,
  ranking: Ranking,
  offset: number,
  limit: number
): ReadonlyArray<number> => {
  const indexes: Array<number> = []
  let skipped = 0
  for (const place of ranking) {
    if (!Bits.has(found, place)) continue
    if (skipped < offset) skipped++
    else if (indexes.push(place) >= limit) break
  }
  return indexes
}

const compareValues = (one: number, other: number, direction: 1 | -1): number => {
  if (Number.isNaN(one)) return Number.isNaN(other) ? 0 : 1
  if (Number.isNaN(other)) return -1
  return direction * (one - other)
}

interface SortRule {
  readonly getValue: (place: number) => number
  /** 1: ascending. */
  readonly direction: 1 | -1
}
type MakeSortRule = (columns: ModelIndex["columns"], measured: Float64Array) => SortRule

/** The average of the prompt and completion prices. */
const makePriceRule =
  (direction: 1 | -1): MakeSortRule =>
  ({ meanPrice }) => ({ direction, getValue: (place) => meanPrice[place]! })

const makeColumnRule =
  (name: "context" | "intelligence" | "coding" | "agentic" | "elo"): MakeSortRule =>
  ({ [name]: column }) => ({ direction: -1, getValue: (place) => column[place]! })

const makeLiveRule =
  (direction: 1 | -1): MakeSortRule =>
  (_, measured) => ({ direction, getValue: (place) => measured[place]! })

const liveMetricBySort = {
  "most-popular": "weeklyTokens",
  "top-weekly": "weeklyTokens",
  "throughput-high-to-low": "throughput",
  "latency-low-to-high": "latency"
} as const satisfies Partial<Record<ModelSort, LiveMetric>>

const sortRules: Readonly<Record<Exclude<ModelSort, "newest">, MakeSortRule>> = {
  "most-popular": makeLiveRule(-1),
  "top-weekly": makeLiveRule(-1),
  "throughput-high-to-low": makeLiveRule(-1),
  "latency-low-to-high": makeLiveRule(1),
  "pricing-low-to-high": makePriceRule(1),
  "pricing-high-to-low": makePriceRule(-1),
  "context-high-to-low": makeColumnRule("context"),
  "intelligence-high-to-low": makeColumnRule("intelligence"),
  "coding-high-to-low": makeColumnRule("coding"),
  "agentic-high-to-low": makeColumnRule("agentic"),
  "design-arena-elo-high-to-low": makeColumnRule("elo")
}
