/** Divides answers into folds for cross-validation. */
import { mixBits } from "./QuestionHasher.ts"

/**
 * The fold of each of `count` answers: folds of equal size, drawn at random but always the same, because labels that come
 * in a pattern would otherwise be in one fold.
 */
export const assignFolds = (count: number, folds: number): ReadonlyArray<number> => {
  const drawn = Array.from({ length: count }, (_, at) => ({ at, bits: mixBits(at) })).toSorted(
    (one, other) => one.bits - other.bits
  )
  const assigned: Array<number> = []
  for (const [rank, { at }] of drawn.entries()) assigned[at] = rank % folds
  return assigned
}
