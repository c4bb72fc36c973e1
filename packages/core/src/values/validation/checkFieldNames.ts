/** Refuses an object with a field that nobody reads: one that is misspelt would pass for one that is left out. */
import { describeUnknownName } from "./findNearestName.ts"

/** The names of the fields of `A`; the compiler sees to it that none is forgotten. */
export type FieldNames<A> = Readonly<Record<keyof A & string, true>>

/** Throws a `RangeError` that names the field, and the one that was most likely meant; `what` is such as `field of a model`. */
export const checkFieldNames = (
  value: object,
  what: string,
  fields: Readonly<Record<string, true>>,
  path = ""
): void => {
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name)) {
      throw new RangeError(`${path}${describeUnknownName(name, what, Object.keys(fields))}`)
    }
  }
}
