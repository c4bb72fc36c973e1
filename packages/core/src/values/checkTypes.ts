/** Refuses options that are none: one that is misspelt would pass for one that is left out. */
import * as Predicate from "effect/Predicate"
import { unknownName } from "./nearestName.ts"

/** What `typeof` may say of each option there is, or `null`. */
export type OptionTypes<Options> = Readonly<Record<keyof Options & string, ReadonlyArray<string>>>

/**
 * For what takes options of a host, which may be in JavaScript: throws a `RangeError` that names the option,
 * and never its value, unless `options` is an object of those in `types`. Undefined is left out.
 */
export const checkTypes = (
  called: string,
  options: unknown,
  types: Readonly<Record<string, ReadonlyArray<string>>>
): void => {
  const names = Object.keys(types).join(", ")
  if (!Predicate.isObject(options) || Array.isArray(options)) {
    throw new RangeError(`${called} takes one object of options: ${names}`)
  }
  for (const [name, value] of Object.entries(options)) {
    const known = Object.hasOwn(types, name) ? types[name] : undefined
    if (known === undefined) {
      throw new RangeError(`${called}: ${unknownName(name, "option", Object.keys(types))}`)
    }
    if (value !== undefined && !known.includes(value === null ? "null" : typeof value)) {
      throw new RangeError(`${called}: ${name} must be of type ${known[0]}`)
    }
  }
}
