/** The probability of each option of a question. */
import { ScriptError } from "./ScriptError.ts"

/**
 * For a yes/no question the probability of yes; otherwise one number per option, by label or by position. The labels of
 * a score are its positions from `"0"`; the labels of a yes/no question are `yes` and `no`. Absent labels get 0.
 * Numbers are sent unchanged, so their sum need not be 1.
 */
export type Distribution = number | ReadonlyArray<number> | Readonly<Record<string, number>>

/** One distribution per question, by name or in order. Absent questions get the default. */
export type Distributions = ReadonlyArray<Distribution> | Readonly<Record<string, Distribution>>

/** The default distribution: n, n-1, ..., 1, scaled to the sum 1. */
const makeDescendingWeights = (count: number): ReadonlyArray<number> => {
  const total = (count * (count + 1)) / 2
  return Array.from({ length: count }, (_, position) => (count - position) / total)
}

/** Throws a `ScriptError` for a question that was not asked. */
export const assignDistributions = (
  names: ReadonlyArray<string>,
  distributions: Distributions
): ReadonlyMap<string, Distribution> =>
  new Map(
    Object.entries(distributions).map(([key, distribution]) => {
      const name = isList(distributions) ? names[Number(key)] : key
      if (name !== undefined && names.includes(name)) return [name, distribution]
      throw new ScriptError(`"${key}" is not asked; asked are: ${names.join(", ")}`)
    })
  )

/** One number per label. Throws a `ScriptError` if `given` does not fit the labels. */
export const toWeights = (
  labels: ReadonlyArray<string>,
  given: Distribution | undefined
): ReadonlyArray<number> => {
  if (given === undefined) return makeDescendingWeights(labels.length)
  if (typeof given === "number") {
    if (labels.length === 2) return [given, 1 - given]
    throw new ScriptError(`one number for ${labels.length} options`)
  }
  if (isList(given)) {
    if (given.length === labels.length) return given
    throw new ScriptError(`${given.length} numbers for ${labels.length} options`)
  }
  const unknown = Object.keys(given).find((label) => !labels.includes(label))
  if (unknown !== undefined) {
    throw new ScriptError(`"${unknown}" is not an option; options are: ${labels.join(", ")}`)
  }
  return labels.map((label) => (Object.hasOwn(given, label) ? given[label]! : 0))
}

/** The position of the greatest number, the first one on ties. */
export const findIndexOfMax = (numbers: ReadonlyArray<number>): number =>
  numbers.indexOf(Math.max(...numbers))

// `Array.isArray` alone does not narrow a readonly array.
const isList = <A extends Distributions | Distribution>(
  value: A
): value is Extract<A, ReadonlyArray<unknown>> => Array.isArray(value)
