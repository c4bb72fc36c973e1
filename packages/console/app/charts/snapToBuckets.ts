/** A time that a viewer selects in a chart, as the buckets that it touches: the list of that time has what they count. */

/** Milliseconds since the epoch; `times` are the beginnings of the buckets, and `end` is where the last one ends. */
export const snapToBuckets = (
  { from, to }: { readonly from: number; readonly to: number },
  times: ReadonlyArray<number>,
  end: number
): { readonly from: number; readonly to: number } => ({
  from: times.findLast((time) => time <= from) ?? from,
  to: times.find((time) => time >= to) ?? Math.max(end, from)
})
