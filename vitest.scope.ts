/** Selects how much of the long tests runs: a sample, or everything with `SIGNALBOX_TESTS=full`. */
const isFull = process.env["SIGNALBOX_TESTS"] === "full"

/** One of two sizes of the same test. */
export const pickScope = <A>({ full, sample }: { readonly full: A; readonly sample: A }): A =>
  isFull ? full : sample

/** The number of runs of a property: `full`, or a tenth of it in a sample. */
export const scaleRuns = (full: number): number => pickScope({ full, sample: Math.ceil(full / 10) })

/** All items, or in a sample `count` evenly spaced ones, including the first and the last. */
export const pickSample = <A>(all: ReadonlyArray<A>, count: number): ReadonlyArray<A> =>
  isFull || count >= all.length
    ? all
    : Array.from(
        { length: count },
        (_, at) => all[Math.round((at * (all.length - 1)) / (count - 1))] as A
      )
