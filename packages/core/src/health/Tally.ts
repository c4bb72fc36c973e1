/** The counts and measurements of an endpoint in one bucket. */
import * as Counts from "./Counts.ts"
import * as Histogram from "../values/Histogram.ts"
import type { Outcome } from "./Outcome.ts"
import type { BucketAggregator } from "./SlidingWindow.ts"

export interface Tally extends Counts.Counts {
  /** The failures that were invalid answers. */
  readonly invalid: number
  readonly rateLimited: number
  readonly errors: ReadonlyMap<string, number>
  /** The latency of successes in milliseconds. */
  readonly latency: Histogram.Histogram
  /** Output tokens per second of successes with output. */
  readonly throughput: Histogram.Histogram
}

const empty: Tally = {
  successes: 0,
  failures: 0,
  invalid: 0,
  rateLimited: 0,
  errors: new Map(),
  latency: Histogram.empty,
  throughput: Histogram.empty
}

/** Bounds the kinds per bucket, because their names come from outside; further kinds count together. */
const maxErrors = 32
const otherKind = "other"

const add = (tally: Tally, outcome: Outcome): Tally => {
  switch (outcome.result) {
    case "success": {
      const throughput = getThroughput(outcome)
      return {
        successes: tally.successes + 1,
        failures: tally.failures,
        invalid: tally.invalid,
        rateLimited: tally.rateLimited,
        errors: tally.errors,
        latency: Histogram.add(tally.latency, outcome.latencyMillis),
        throughput:
          throughput === undefined ? tally.throughput : Histogram.add(tally.throughput, throughput)
      }
    }
    case "failure":
    case "invalid_answer":
      return {
        ...tally,
        failures: tally.failures + 1,
        invalid: tally.invalid + (outcome.result === "invalid_answer" ? 1 : 0),
        errors: addErrors(tally.errors, [[outcome.kind ?? outcome.result, 1]])
      }
    case "rate_limited":
      return { ...tally, rateLimited: tally.rateLimited + 1 }
    case "ignored":
      return tally
  }
}

const getThroughput = ({
  latencyMillis,
  outputTokens,
  totalMillis = latencyMillis
}: Outcome): number | undefined =>
  outputTokens === undefined || outputTokens <= 0
    ? undefined
    : (outputTokens * 1_000) / Math.max(totalMillis, 1)

/** Adds outcomes that all are successes, with one copy. */
export const addSuccesses = (tally: Tally, outcomes: ReadonlyArray<Outcome>): Tally => ({
  ...tally,
  successes: tally.successes + outcomes.length,
  latency: Histogram.addAll(
    tally.latency,
    outcomes.map(({ latencyMillis }) => latencyMillis)
  ),
  throughput: Histogram.addAll(
    tally.throughput,
    outcomes.map(getThroughput).filter((throughput) => throughput !== undefined)
  )
})

const merge = (self: Tally, that: Tally): Tally => ({
  successes: self.successes + that.successes,
  failures: self.failures + that.failures,
  invalid: self.invalid + that.invalid,
  rateLimited: self.rateLimited + that.rateLimited,
  errors: that.errors.size === 0 ? self.errors : addErrors(self.errors, that.errors),
  latency: Histogram.merge(self.latency, that.latency),
  throughput: Histogram.merge(self.throughput, that.throughput)
})

const addErrors = (
  errors: ReadonlyMap<string, number>,
  more: Iterable<readonly [string, number]>
): ReadonlyMap<string, number> => {
  const counts = new Map(errors)
  for (const [kind, count] of more) {
    const name = counts.has(kind) || counts.size < maxErrors ? kind : otherKind
    counts.set(name, (counts.get(name) ?? 0) + count)
  }
  return counts
}

const makeAggregator = (bucketMillis: number): BucketAggregator<Tally, Outcome> => ({
  bucketMillis,
  empty,
  add,
  merge
})

export const byHalfMinute = makeAggregator(Counts.byHalfMinute.bucketMillis)
export const byHalfHour = makeAggregator(Counts.byHalfHour.bucketMillis)
