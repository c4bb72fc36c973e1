/** How much a run of the tests covers: a sample of what is long, or with `SIGNALBOX_TESTS=full` all of it. */
const isFull = process.env["SIGNALBOX_TESTS"] === "full"

/** One of two sizes of the same test. */
export const pickScope = <A>({ full, sample }: { readonly full: A; readonly sample: A }): A =>
  isFull ? full : sample

/** How often a property is tried: so often in full, otherwise a tenth of that. */
export const scaleRuns = (full: number): number => pickScope({ full, sample: Math.ceil(full / 10) })

/** All of them in full; otherwise so many that stand evenly apart, the first and the last among them. */
export const pickSample = <A>(all: ReadonlyArray<A>, count: number): ReadonlyArray<A> =>
  isFull || count >= all.length
    ? all
    : Array.from(
        { length: count },
        (_, at) => all[Math.round((at * (all.length - 1)) / (count - 1))] as A
      )
