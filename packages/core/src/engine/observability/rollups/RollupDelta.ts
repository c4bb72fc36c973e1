/** What a batch of generations adds to the rollups of an account: figures by minute and dimension. Pure. */
import type { AccountId } from "../../../values/ids/Ids.ts"
import type { Generation } from "../generations/Generation.ts"
import type { Dimension } from "./Dimension.ts"
import * as Rollup from "./Rollup.ts"
import { RollupSums } from "./RollupSums.ts"

/** By the start of the minute in milliseconds since the epoch. */
export type RollupDelta = ReadonlyMap<number, DimensionRollups>

export type DimensionRollups = ReadonlyMap<Dimension, Rollup.Rollup>

/** One delta for each account. A generation counts in the minute in which its request began. */
export const toDeltas = (
  generations: ReadonlyArray<Generation>
): ReadonlyMap<AccountId, RollupDelta> => {
  const sums = new RollupSums()
  for (const generation of generations) sums.add(generation)
  return sums.take()
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
