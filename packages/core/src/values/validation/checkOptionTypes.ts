/** Refuses options that are none: one that is misspelt would pass for one that is left out. */
import * as Predicate from "effect/Predicate"
import { describeUnknownName } from "./findNearestName.ts"

/** What `typeof` may say of each option there is, or `null`. */
export type OptionTypes<Options> = Readonly<Record<keyof Options & string, ReadonlyArray<string>>>

/**
 * For what takes options of a host, which may be in JavaScript: throws a `RangeError` that names the option,
 * and never its value, unless `options` is an object of those in `types`. Undefined is left out.
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
