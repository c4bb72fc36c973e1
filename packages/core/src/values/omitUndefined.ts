import { setOwn } from "./setOwn.ts"

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
