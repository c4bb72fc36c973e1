/** What a batch of generations adds to the rollups of an account: figures by minute and dimension. Pure. */
import type { AccountId } from "../../values/ids/AccountId.ts"
import type { Generation } from "../generations/Generation.ts"
import { type Dimension, type DimensionValue, forEachValue } from "./Dimension.ts"
import { MeasuresSum } from "./MeasuresSum.ts"
import { toBucketStart } from "./Resolution.ts"
import * as Rollup from "./Rollup.ts"

/** By the start of the minute in milliseconds since the epoch. */
export type RollupDelta = ReadonlyMap<number, DimensionRollups>

export type DimensionRollups = ReadonlyMap<Dimension, Rollup.Rollup>

/** One delta for each account. A generation counts in the minute in which its request began. */
export const toDeltas = (
  generations: ReadonlyArray<Generation>
): ReadonlyMap<AccountId, RollupDelta> => {
  const parts = new Map<AccountId, Map<number, MinuteParts>>()
  for (const generation of generations) {
    const minutes = getOrSet<AccountId, Map<number, MinuteParts>>(
      parts,
      generation.account,
      makeMap
    )
    const startedAt = toBucketStart("minute", generation.startedAt)
    const minute = getOrSet<number, MinuteParts>(minutes, startedAt, makeMap)
    forEachValue(generation, (dimension, value, counted) => {
      const values = getOrSet<Dimension, ValueParts>(minute, dimension, makeMap)
      getOrSet(values, value, makeSum).add(counted)
    })
  }
  return mapValues(parts, (minutes) =>
    mapValues(minutes, (rollups) =>
      mapValues(rollups, (values) => ({
        values: mapValues(values, (sum) => sum.toMeasures())
      }))
    )
  )
}

type ValueParts = Map<DimensionValue, MeasuresSum>
type MinuteParts = Map<Dimension, ValueParts>

// Functions of the file, because one per value would be most of what a generation costs.
const makeMap = <K, V>(): Map<K, V> => new Map()
const makeSum = (): MeasuresSum => new MeasuresSum()

const mapValues = <K, A, B>(map: ReadonlyMap<K, A>, toValue: (value: A) => B): Map<K, B> => {
  const mapped = new Map<K, B>()
  for (const [key, value] of map) mapped.set(key, toValue(value))
  return mapped
}

/** Associative and commutative. */
export const mergeDimensions = (
  self: DimensionRollups,
  that: DimensionRollups
): DimensionRollups => {
  const merged = new Map(self)
  for (const [dimension, rollup] of that) {
    merged.set(dimension, Rollup.merge(merged.get(dimension) ?? Rollup.empty, rollup))
  }
  return merged
}

/** A bucket keeps `limit` values of each dimension once it has ended, and `openFactor` times as many before. */
export const pruneDimensions = (
  rollups: DimensionRollups,
  limit: number,
  hasEnded: boolean
): DimensionRollups => {
  const most = hasEnded ? limit : limit * openFactor
  let pruned: Map<Dimension, Rollup.Rollup> | undefined
  for (const [dimension, rollup] of rollups) {
    if (rollup.values.size <= most) continue
    pruned ??= new Map(rollups)
    pruned.set(dimension, Rollup.prune(rollup, most))
  }
  return pruned ?? rollups
}

/** A value that is rare now may be among the most important at the end. */
const openFactor = 5

const getOrSet = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
