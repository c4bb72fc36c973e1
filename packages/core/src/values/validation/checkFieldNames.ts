/** Rejects unknown fields, because a misspelt field would count as omitted. */
import * as Predicate from "effect/Predicate"
import { describeUnknownName } from "./findNearestName.ts"

/** The names of all fields of `A`; the compiler rejects a missing one. */
export type FieldNames<A> = Readonly<Record<keyof A & string, true>>

/** Throws a `RangeError` that names the field and the nearest one of `fields`; `what` is, for example, `field of a model`. */
export const checkFieldNames = (value: object, what: string, fields: object, path = ""): void => {
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name)) {
      throw new RangeError(`${path}${describeUnknownName(name, what, Object.keys(fields))}`)
    }
  }
}

/** The allowed results of `typeof` for each option, or `null`. */
export type OptionTypes<Options> = Readonly<Record<keyof Options & string, ReadonlyArray<string>>>

/**
 * Throws a `RangeError` that names the option, but not its value, unless `options` is an object of options in `types`.
 * Undefined counts as omitted. For functions that hosts call from plain JavaScript.
 */
export const checkOptionTypes = (
  functionName: string,
  options: unknown,
  types: Readonly<Record<string, ReadonlyArray<string>>>
): void => {
  const names = Object.keys(types).join(", ")
  if (!Predicate.isObject(options) || Array.isArray(options)) {
    throw new RangeError(`${functionName} takes one object of options: ${names}`)
  }
  for (const [name, value] of Object.entries(options)) {
    const allowedTypes = Object.hasOwn(types, name) ? types[name] : undefined
    if (allowedTypes === undefined) {
      throw new RangeError(
        `${functionName}: ${describeUnknownName(name, "option", Object.keys(types))}`
      )
    }
    if (value !== undefined && !allowedTypes.includes(value === null ? "null" : typeof value)) {
      throw new RangeError(`${functionName}: ${name} must be of type ${allowedTypes[0]}`)
    }
  }
}
