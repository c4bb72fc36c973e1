/** Renames a person in figures. Pure. */
import type { Rollup } from "../../engine/observability/rollups/Rollup.ts"
import {
  type Dimension,
  type DimensionValue,
  fromPairValue,
  isPairDimension,
  toPairPrefix,
  toPairValue
} from "../../values/Dimension.ts"
import type { Renaming } from "./Person.ts"

/** Whether values of the dimension may be the name: those of tags may, too. */
export const mayNamePerson = (dimension: Dimension, { kind }: Pick<Renaming, "kind">): boolean =>
  dimension === kind || dimension === `${kind},model` || dimension.startsWith("tag:")

/** Returns the same rollup when it does not name the person. */
export const renameRollup = (
  rollup: Rollup,
  dimension: Dimension,
  { name, pseudonym }: Pick<Renaming, "name" | "pseudonym">
): Rollup => {
  const prefix = toPairPrefix(name)
  const rename = (value: DimensionValue): DimensionValue => {
    if (!isPairDimension(dimension)) return value === name ? pseudonym : value
    return value?.startsWith(prefix) === true
      ? toPairValue(pseudonym, fromPairValue(value)[1])
      : value
  }
  const values = new Map(
    Array.from(rollup.values, ([value, measures]) => [rename(value), measures])
  )
  const isSame = Array.from(values.keys()).every((value) => rollup.values.has(value))
  return isSame ? rollup : { ...rollup, values }
}
