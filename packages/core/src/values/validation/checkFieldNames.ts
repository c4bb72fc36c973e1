/** Rejects unknown fields, because a misspelt field would count as omitted. */
import { describeUnknownName } from "./findNearestName.ts"

/** The names of all fields of `A`; the compiler rejects a missing one. */
export type FieldNames<A> = Readonly<Record<keyof A & string, true>>

/** Throws a `RangeError` that names the field and the nearest known one; `what` is, for example, `field of a model`. */
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
