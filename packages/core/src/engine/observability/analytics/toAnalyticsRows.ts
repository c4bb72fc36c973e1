/** Makes the rows that answer a query on analytics from rollups. Pure. */
import type { DimensionValue } from "../../../values/Dimension.ts"
import * as Measures from "../rollups/Measures.ts"
import type { RollupBucket } from "../rollups/RollupStore.ts"
import { toGranularityStart } from "./AnalyticsQuery.ts"
import type { AnalyticsPlan } from "./planAnalytics.ts"

/** Metrics and the dimension by name, the time as `date__day`, and `is_other` for the values that are only kept together. */
type AnalyticsRow = Readonly<Record<string, string | number | boolean | null>>

export interface AnalyticsAnswer {
  readonly rows: ReadonlyArray<AnalyticsRow>
  /** Whether a limit left rows out. */
  readonly isTruncated: boolean
  /** Names limitations of the rows. */
  readonly warnings: ReadonlyArray<string>
}

export const toAnalyticsRows = (
  buckets: ReadonlyArray<RollupBucket>,
  plan: AnalyticsPlan
): AnalyticsAnswer => {
  const groups = listGroups(buckets, plan).toSorted(makeComparison(plan))
  const limited = limitEach(groups, plan.groupLimit)
  const kept = limited.slice(0, plan.limit)
  return {
    rows: kept.map((group) => toRow(group, plan)),
    isTruncated: kept.length < groups.length,
    warnings: buckets.some(({ other }) => other !== undefined) ? describeOther(plan) : []
  }
}

/** What one row adds up. */
interface Group {
  /** Undefined without a granularity. */
  readonly at: number | undefined
  /** Null without a dimension, and for the rest. */
  readonly value: DimensionValue
  readonly isOther: boolean
  readonly measures: Measures.Measures
}

/** The parts of one time. */
interface Parts {
  readonly values: Map<DimensionValue, Array<Measures.Measures>>
  readonly other: Array<Measures.Measures>
}

const listGroups = (
  buckets: ReadonlyArray<RollupBucket>,
  { filters, granularity, groupBy }: AnalyticsPlan
): ReadonlyArray<Group> => {
  const times = new Map<number | undefined, Parts>()
  // As in SQL, a query without groups has one row, even over nothing.
  if (granularity === undefined && groupBy === undefined) {
    times.set(undefined, { values: new Map([[null, new Array<Measures.Measures>()]]), other: [] })
  }
  const hasOther = filters.every(({ isNegative }) => isNegative)
  for (const { other, startedAt, values } of buckets) {
    const at = granularity === undefined ? undefined : toGranularityStart(granularity, startedAt)
    const parts: Parts = times.get(at) ?? { values: new Map(), other: [] }
    times.set(at, parts)
    for (const [value, measures] of values) {
      if (!filters.every(({ matches }) => matches(value))) continue
      addPart(parts, groupBy === undefined ? null : value, measures)
    }
    if (other === undefined || !hasOther) continue
    if (groupBy === undefined) addPart(parts, null, other)
    else parts.other.push(other)
  }
  return Array.from(times).flatMap(([at, { other, values }]) => [
    ...Array.from(values, ([value, parts]) => ({
      at,
      value,
      isOther: false,
      measures: Measures.mergeAll(parts)
    })),
    ...(other.length === 0
      ? []
      : [{ at, value: null, isOther: true, measures: Measures.mergeAll(other) }])
  ])
}

const addPart = ({ values }: Parts, value: DimensionValue, measures: Measures.Measures): void => {
  const known = values.get(value)
  if (known === undefined) values.set(value, [measures])
  else known.push(measures)
}

/** Keeps the first `limit` rows of each value. */
const limitEach = (groups: ReadonlyArray<Group>, limit: number): ReadonlyArray<Group> => {
  if (limit === Infinity) return groups
  const counts = new Map<DimensionValue | typeof otherKey, number>()
  return groups.filter(({ isOther, value }) => {
    const key = isOther ? otherKey : value
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= limit
  })
}

const otherKey = Symbol("other")

const toRow = (
  { at, isOther, measures, value }: Group,
  { granularity, groupBy, metrics }: AnalyticsPlan
): AnalyticsRow => ({
  ...(at === undefined ? undefined : { [`date__${granularity}`]: new Date(at).toISOString() }),
  ...(groupBy === undefined ? undefined : { [groupBy.name]: value }),
  ...(isOther ? { is_other: true } : undefined),
  ...Object.fromEntries(metrics.map(({ compute, name }) => [name, compute(measures)]))
})

/** Ties are broken, so that limits leave out the same rows every time: the latest and the largest come first. */
const makeComparison = ({ orderBy }: AnalyticsPlan) => {
  const { field, isAscending } = orderBy
  const sign = isAscending ? 1 : -1
  const compareByField = (one: Group, that: Group): number => {
    if (field === "date") return sign * compare(one.at, that.at)
    // Rows without a value come last in both directions, and the row of the rest after them.
    if (field === "value") {
      return (
        Number(one.isOther) - Number(that.isOther) || compareNullable(one.value, that.value, sign)
      )
    }
    return compareNullable(field(one.measures), field(that.measures), sign)
  }
  return (one: Group, that: Group): number =>
    compareByField(one, that) ||
    compare(that.at, one.at) ||
    Number(one.isOther) - Number(that.isOther) ||
    that.measures.requests - one.measures.requests ||
    compareNullable(one.value, that.value, 1)
}

const compareNullable = <A extends string | number>(
  one: A | null,
  that: A | null,
  sign: number
): number =>
  one === null || that === null
    ? Number(one === null) - Number(that === null)
    : sign * compare(one, that)

const compare = <A extends string | number | undefined>(one: A, that: A): number =>
  one === that ? 0 : one === undefined || (that !== undefined && one < that) ? -1 : 1

/** Values that were pruned may be in any filter. */
const describeOther = ({ filters, groupBy }: AnalyticsPlan): ReadonlyArray<string> => [
  ...(groupBy === undefined
    ? []
    : [
        `some values of ${groupBy.name} were not kept apart: rows with is_other add them up, and other rows may lack a part`
      ]),
  ...(filters.length === 0
    ? []
    : [
        filters.every(({ isNegative }) => isNegative)
          ? "some values were not kept apart: the figures include them, even if the filters exclude them"
          : "some values were not kept apart: the figures lack them, even if the filters select them"
      ])
]
