/** What a batch of generations adds to the rollups of an account: figures by minute and dimension. Pure. */
import type { SettingsShape } from "../../../instance/Settings.ts"
import type { AccountId } from "../../../values/ids/Ids.ts"
import type { Generation } from "../generations/Generation.ts"
import {
  type Dimension,
  isPairDimension,
  isTagDimension,
  type PairDimension
} from "../../../values/Dimension.ts"
import * as Rollup from "./Rollup.ts"
import { RollupSums } from "./RollupSums.ts"

/** By the start of the minute in milliseconds since the epoch. */
export type RollupDelta = ReadonlyMap<number, DimensionRollups>

export type DimensionRollups = ReadonlyMap<Dimension, Rollup.Rollup>

/** One delta for each account; `pairs` are kept. A generation counts in the minute in which its request began. */
export const toDeltas = (
  generations: ReadonlyArray<Generation>,
  pairs: ReadonlyArray<PairDimension>
): ReadonlyMap<AccountId, RollupDelta> => {
  const sums = new RollupSums(pairs)
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

/**
 * A bucket keeps so many values of each dimension, or pairs, once it has ended, and `openFactor` times as many before.
 */
export const pruneDimensions = (
  rollups: DimensionRollups,
  { maxRollupPairs, maxRollupValues }: Pick<SettingsShape, "maxRollupPairs" | "maxRollupValues">,
  hasEnded: boolean
): DimensionRollups => {
  let pruned: Map<Dimension, Rollup.Rollup> | undefined
  for (const [dimension, rollup] of rollups) {
    const limit = isPairDimension(dimension) ? maxRollupPairs : maxRollupValues
    const most = hasEnded ? limit : limit * openFactor
    if (rollup.values.size <= most) continue
    pruned ??= new Map(rollups)
    pruned.set(dimension, Rollup.prune(rollup, most))
  }
  return pruned ?? rollups
}

/**
 * Leaves out the tags for which a bucket has no room: it keeps the first `maxTags` of them. `known`: the dimensions that it
 * has.
 */
export const admitTags = (
  known: Iterable<Dimension>,
  rollups: DimensionRollups,
  maxTags: number
): DimensionRollups => {
  const added = Array.from(rollups.keys()).filter(isTagDimension)
  if (added.length === 0) return rollups
  const tags = new Set(Array.from(known).filter(isTagDimension))
  let admitted: Map<Dimension, Rollup.Rollup> | undefined
  for (const tag of added) {
    if (tags.has(tag)) continue
    if (tags.size < maxTags) tags.add(tag)
    else (admitted ??= new Map(rollups)).delete(tag)
  }
  return admitted ?? rollups
}

/** A value that is rare now may be among the most important at the end. */
const openFactor = 5
