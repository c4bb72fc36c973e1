/** What a request really asks for where it gives a list. */

/** Clients send empty lists for "no restriction". */
export const nonEmpty = <A>(
  list: ReadonlyArray<A> | null | undefined
): ReadonlyArray<A> | undefined => (list == null || list.length === 0 ? undefined : list)
