/** Treats an empty list as absent. */

/** Clients send empty lists for "no restriction". */
export const nonEmpty = <A>(
  list: ReadonlyArray<A> | null | undefined
): ReadonlyArray<A> | undefined => (list == null || list.length === 0 ? undefined : list)
