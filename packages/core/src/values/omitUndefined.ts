/** Drops the keys whose value is undefined, as `exactOptionalPropertyTypes` requires. */
export const omitUndefined = <A extends object>(fields: A): DefinedFields<A> =>
  // `fromEntries` loses the names.
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined)
  ) as unknown as DefinedFields<A>

type DefinedFields<A> = {
  [K in keyof A as undefined extends A[K] ? never : K]: A[K]
} & {
  [K in keyof A as undefined extends A[K] ? K : never]?: Exclude<A[K], undefined>
}
