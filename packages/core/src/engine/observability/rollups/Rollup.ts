/** The figures of one dimension in one bucket, by value. Pure. */
import type { DimensionValue } from "../../../values/Dimension.ts"
import * as Measures from "./Measures.ts"

/** The sum of `values` and `other` stays exact after pruning. */
export interface Rollup {
  readonly values: ReadonlyMap<DimensionValue, Measures.Measures>
  /** The values that were pruned, together; absent when none was. */
  readonly other?: Measures.Measures
}

export const empty: Rollup = { values: new Map() }

/** Associative and commutative. */
export const merge = (self: Rollup, that: Rollup): Rollup => mergeAll([self, that])

/** `merge` of any number, in one pass. */
export const mergeAll = (all: ReadonlyArray<Rollup>): Rollup => {
  const [first = empty, second] = all
  if (second === undefined) return first
  const values = new Map(first.values)
  for (let index = 1; index < all.length; index++) {
    for (const [value, measures] of all[index]!.values) {
      const known = values.get(value)
      values.set(value, known === undefined ? measures : Measures.merge(known, measures))
    }
  }
  return withOther(
    values,
    all.map(({ other }) => other)
  )
}

/** Keeps the `limit` most important values and adds the others up in `other`. */
export const prune = (rollup: Rollup, limit: number): Rollup => {
  const { other, values } = rollup
  if (values.size <= limit) return rollup
  const ranked = rankValues(values)
  return withOther(new Map(ranked.slice(0, limit)), [
    other,
    ...ranked.slice(limit).map(([, measures]) => measures)
  ])
}

/** The figures that make a value important. */
type Weighed = Pick<Measures.Measures, "cost" | "requests">

/**
 * The values, the most important first: by their share of the requests and their share of the cost, because the
 * expensive ones may be rare.
 */
export const rankValues = <A extends Weighed>(
  values: ReadonlyMap<DimensionValue, A>
): ReadonlyArray<readonly [DimensionValue, A]> => {
  let requests = 0
  let cost = 0
  for (const measures of values.values()) {
    requests += measures.requests
    cost += Number(measures.cost)
  }
  return Array.from(values, ([value, measures]) => ({
    entry: [value, measures] as const,
    weight: measures.requests / Math.max(requests, 1) + Number(measures.cost) / Math.max(cost, 1)
  }))
    .toSorted((one, that) => that.weight - one.weight || compareValues(one.entry[0], that.entry[0]))
    .map(({ entry }) => entry)
}

/** Everything in the bucket. */
export const total = ({ other, values }: Rollup): Measures.Measures =>
  Measures.mergeAll([...values.values(), ...(other === undefined ? [] : [other])])

const withOther = (
  values: Rollup["values"],
  parts: ReadonlyArray<Measures.Measures | undefined>
): Rollup => {
  const known = parts.filter((part) => part !== undefined)
  return known.length === 0 ? { values } : { values, other: Measures.mergeAll(known) }
}

/** Ties need an order of their own, so that processes prune alike. */
const compareValues = (one: DimensionValue, that: DimensionValue): number =>
  one === that ? 0 : one === null || (that !== null && one < that) ? -1 : 1
