/** How many attempts succeeded and failed; rate limits, first events and ignored outcomes are neither. */
import type { Outcome } from "./Outcome.ts"
import type { BucketAggregator } from "./SlidingWindow.ts"

export interface Counts {
  readonly successes: number
  readonly failures: number
}

const empty: Counts = { successes: 0, failures: 0 }

/** Whether an outcome is a failure; undefined when it says nothing about that. */
export const isFailure = ({ result }: Outcome): boolean | undefined =>
  result === "success"
    ? false
    : result === "failure" || result === "invalid_answer"
      ? true
      : undefined

export const countSuccesses = (outcomes: ReadonlyArray<Outcome>): number => {
  let successes = 0
  for (const { result } of outcomes) if (result === "success") successes += 1
  return successes
}

export const addSuccesses = ({ failures, successes }: Counts, count: number): Counts => ({
  successes: successes + count,
  failures
})

const makeAggregator = (bucketMillis: number): BucketAggregator<Counts, boolean> => ({
  bucketMillis,
  empty,
  add: ({ failures, successes }, failed) =>
    failed ? { successes, failures: failures + 1 } : { successes: successes + 1, failures },
  merge: (self, that) => ({
    successes: self.successes + that.successes,
    failures: self.failures + that.failures
  })
})

export const bySecond = makeAggregator(1_000)
export const byHalfMinute = makeAggregator(30_000)
export const byHalfHour = makeAggregator(1_800_000)
