/**
 * `flatMap` that returns the result for a single item as it is, because most reads of a stream bring one event, and a list
 * that grows costs more than the event.
 */
export const flatMapFew = <A, B>(
  items: ReadonlyArray<A>,
  toList: (item: A) => ReadonlyArray<B>
): ReadonlyArray<B> =>
  items.length === 1 ? toList(items[0]!) : items.flatMap((item) => toList(item))
