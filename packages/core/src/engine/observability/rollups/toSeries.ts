/** Arranges buckets as one series for each value, the most important first. Pure. */
import { type DimensionValue, toPairPrefix } from "../../../values/Dimension.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import * as Measures from "./Measures.ts"
import * as Rollup from "./Rollup.ts"
import type { RollupBucket } from "./RollupStore.ts"

/** One value over time. */
export interface Series {
  readonly value: DimensionValue
  /** True for all other values together; `value` is null then. */
  readonly isOther: boolean
  readonly total: Measures.Measures
  /** Oldest first; only buckets with requests. */
  readonly points: ReadonlyArray<{
    readonly startedAt: number
    readonly measures: Measures.Measures
  }>
}

/** At most `limit` series and one for the rest, which together add up to the buckets. */
export const toSeries = (
  buckets: ReadonlyArray<RollupBucket>,
  limit: number
): ReadonlyArray<Series> => {
  // Only the chosen series are added up as a whole: there may be thousands of others.
  const weights = new Map<DimensionValue, { requests: number; cost: NanoUsd.NanoUsd }>()
  for (const { values } of buckets) {
    for (const [value, { cost, requests }] of values) {
      const known = weights.get(value)
      if (known === undefined) weights.set(value, { requests, cost })
      else {
        known.requests += requests
        known.cost = NanoUsd.make(known.cost + cost)
      }
    }
  }
  const top = Rollup.rankValues(weights)
    .slice(0, limit)
    .flatMap(([value]) => pickSeries(buckets, value))
  const kept = new Set(top.map(({ value }) => value))
  const rest = buckets.flatMap(({ other, startedAt, values }) => {
    const parts = Array.from(values).flatMap(([value, measures]) =>
      kept.has(value) ? [] : [measures]
    )
    if (other !== undefined) parts.push(other)
    return parts.length === 0 ? [] : [{ startedAt, measures: Measures.mergeAll(parts) }]
  })
  return rest.length === 0
    ? top
    : [...top, { value: null, isOther: true, total: sumPoints(rest), points: rest }]
}

/** The series of one value; empty when it has no requests of its own. */
export const pickSeries = (
  buckets: ReadonlyArray<RollupBucket>,
  value: DimensionValue
): ReadonlyArray<Series> => {
  const points = buckets.flatMap(({ startedAt, values }) => {
    const measures = values.get(value)
    return measures === undefined ? [] : [{ startedAt, measures }]
  })
  return points.length === 0 ? [] : [{ value, isOther: false, total: sumPoints(points), points }]
}

/** The pairs with this first value, without the rest, of which that is not known. */
export const pickPairs = (
  buckets: ReadonlyArray<RollupBucket>,
  first: string
): ReadonlyArray<RollupBucket> => {
  const prefix = toPairPrefix(first)
  return buckets.map(({ startedAt, values }) => ({
    startedAt,
    values: new Map(Array.from(values).filter(([value]) => value?.startsWith(prefix) === true))
  }))
}

const sumPoints = (points: Series["points"]): Measures.Measures =>
  Measures.mergeAll(points.map(({ measures }) => measures))
