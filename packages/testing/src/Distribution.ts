/** How sure an upstream is of each option of a question. */
import { ScriptError } from "./ScriptError.ts"

/**
 * Of a yes/no question the probability of yes; else one number per option, by label or by position.
 * The labels of a score are its positions, `"0"` upwards; those of a yes/no question `yes` and `no`.
 * Labels left out get 0. Numbers are sent as they are: they need not sum to 1.
 */
export type Distribution = number | ReadonlyArray<number> | Readonly<Record<string, number>>

/** One distribution per question, by name or in the order asked; questions left out get the default. */
export type Distributions = ReadonlyArray<Distribution> | Readonly<Record<string, Distribution>>

/** What an upstream answers unless told otherwise: n, n-1, ..., 1 scaled to sum to 1. */
const makeDescendingWeights = (count: number): ReadonlyArray<number> => {
  const total = (count * (count + 1)) / 2
  return Array.from({ length: count }, (_, position) => (count - position) / total)
}

/** The distribution of each question it states one for; throws a `ScriptError` for one not asked. */
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

/** One number per label; throws a `ScriptError` when `restrictionFields` does not fit the labels. */
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

/** The position of the greatest number, the first on ties. */
export const max = (numbers: ReadonlyArray<number>): number => numbers.indexOf(Math.max(...numbers))

// `Array.isArray` alone does not narrow a readonly array.
const isList = <A extends Distributions | Distribution>(
  value: A
): value is Extract<A, ReadonlyArray<unknown>> => Array.isArray(value)
