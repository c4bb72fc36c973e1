/** Fields of objects whose keys callers choose. */

/** Sets an own property under any name: an assignment to `__proto__` would set the prototype. */
export const setOwn = <A>(record: Record<string, A>, name: string, value: A): void => {
  if (name === "__proto__") {
    Object.defineProperty(record, name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true
    })
  } else record[name] = value
}

/** Drops the keys whose value is undefined, as `exactOptionalPropertyTypes` requires. */
export const omitUndefined = <A extends object>(fields: A): DefinedFields<A> => {
  const defined: Record<string, unknown> = {}
  for (const name in fields) {
    const value: unknown = fields[name]
    if (value !== undefined) setOwn(defined, name, value)
  }
  // The record has lost the names.
  return defined as unknown as DefinedFields<A>
}

type DefinedFields<A> = {
  [K in keyof A as undefined extends A[K] ? never : K]: A[K]
} & {
  [K in keyof A as undefined extends A[K] ? K : never]?: Exclude<A[K], undefined>
}
