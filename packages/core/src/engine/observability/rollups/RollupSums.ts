/** Adds up generations in place, by account, minute, dimension and value. */
import {
  type Dimension,
  type DimensionValue,
  type PairDimension,
  toPairValue
} from "../../../values/Dimension.ts"
import type { AccountId } from "../../../values/ids/Ids.ts"
import type { Generation } from "../generations/Generation.ts"
import { forEachValue } from "./forEachValue.ts"
import { MeasuresSum } from "./MeasuresSum.ts"
import { toBucketStart } from "./Resolution.ts"
import type { Rollup } from "./Rollup.ts"

type ValueSums = Map<DimensionValue, MeasuresSum>
type MinuteSums = Map<Dimension, ValueSums>
type MinuteRollups = ReadonlyMap<number, ReadonlyMap<Dimension, Rollup>>

export class RollupSums {
  private readonly pairs: ReadonlyArray<PairDimension>
  private accounts = new Map<AccountId, Map<number, MinuteSums>>()
  private values = 0
  /** The values of pairs by their halves, because writing one for each request would cost more than adding it up. */
  private pairValues = new Map<string, Map<string, string>>()

  /** `pairs`: which are kept. */
  constructor(pairs: ReadonlyArray<PairDimension>) {
    this.pairs = pairs
  }

  /** The number of values that have sums, which their memory follows. */
  get size(): number {
    return this.values
  }

  add(generation: Generation): void {
    const minutes = getOrSet<AccountId, Map<number, MinuteSums>>(
      this.accounts,
      generation.account,
      makeMap
    )
    const startedAt = toBucketStart("minute", generation.startedAt)
    const minute = getOrSet<number, MinuteSums>(minutes, startedAt, makeMap)
    forEachValue(generation, this.pairs, this.writePair, (dimension, value, counted) => {
      const sums = getOrSet<Dimension, ValueSums>(minute, dimension, makeMap)
      const before = sums.size
      getOrSet(sums, value, makeSum).add(counted)
      this.values += sums.size - before
    })
  }

  private readonly writePair = (first: string, model: string): string => {
    const models = getOrSet<string, Map<string, string>>(this.pairValues, first, makeMap)
    const known = models.get(model)
    if (known !== undefined) return known
    const value = toPairValue(first, model)
    models.set(model, value)
    return value
  }

  /** Returns the sums of each account, by the start of the minute in milliseconds since the epoch, and starts over. */
  take(): ReadonlyMap<AccountId, MinuteRollups> {
    const taken = this.accounts
    this.accounts = new Map()
    this.pairValues = new Map()
    this.values = 0
    return mapValues(taken, (minutes) =>
      mapValues(minutes, (rollups) =>
        mapValues(rollups, (values) => ({
          values: mapValues(values, (sum) => sum.toMeasures())
        }))
      )
    )
  }
}

// Shared functions, because a closure per value would be most of the cost of a generation.
const makeMap = <K, V>(): Map<K, V> => new Map()
const makeSum = (): MeasuresSum => new MeasuresSum()

const mapValues = <K, A, B>(map: ReadonlyMap<K, A>, toValue: (value: A) => B): Map<K, B> => {
  const mapped = new Map<K, B>()
  for (const [key, value] of map) mapped.set(key, toValue(value))
  return mapped
}

const getOrSet = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
