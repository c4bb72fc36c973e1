/** Renames a person in figures. Pure. */
import type { Rollup } from "../../engine/observability/rollups/Rollup.ts"
import {
  type Dimension,
  type DimensionValue,
  fromPairValue,
  isPairDimension,
  toPairPrefix,
  toPairValue,
  workspaceUsers
} from "../../values/Dimension.ts"
import type { Renaming } from "./PersonStore.ts"

/** Whether values of the dimension may be the name: those of tags may, too. */
export const mayNamePerson = (dimension: Dimension, { kind }: Pick<Renaming, "kind">): boolean =>
  dimension === kind ||
  dimension === `${kind},model` ||
  (dimension === workspaceUsers && kind === "user") ||
  dimension.startsWith("tag:")

/** Returns the same rollup when it does not name the person. */
export const renameRollup = (
  rollup: Rollup,
  dimension: Dimension,
  { name, pseudonym }: Pick<Renaming, "name" | "pseudonym">
): Rollup => {
  const prefix = toPairPrefix(name)
  const rename = (value: DimensionValue): DimensionValue => {
    if (!isPairDimension(dimension)) return value === name ? pseudonym : value
    if (dimension === workspaceUsers) {
      const [workspace, user] = value === null ? [] : fromPairValue(value)
      return workspace !== undefined && user === name ? toPairValue(workspace, pseudonym) : value
    }
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
