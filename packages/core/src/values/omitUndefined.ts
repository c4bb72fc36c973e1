/** Drops the keys whose value is undefined, as `exactOptionalPropertyTypes` requires. */
export const omitUndefined = <A extends object>(
  fields: A
): Partial<{ [K in keyof A]: Exclude<A[K], undefined> }> =>
  // The cast restores the names that `fromEntries` loses.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<{
    [K in keyof A]: Exclude<A[K], undefined>
  }>
