/** The counts and measurements of an endpoint in one bucket. */
import * as Counts from "./Counts.ts"
import * as Histogram from "../../values/Histogram.ts"
import type { Outcome } from "./Outcome.ts"
import { getLatency } from "./RecentLatency.ts"
import type { BucketAggregator } from "./SlidingWindow.ts"

export interface Tally extends Counts.Counts {
  /** The failures that were invalid answers. */
  readonly invalid: number
  readonly rateLimited: number
  readonly errors: ReadonlyMap<string, number>
  /** The time to the answer of successes, or to the first event of streams, in milliseconds. */
  readonly latency: Histogram.Histogram
  /** Output tokens per second of successes with output. */
  readonly throughput: Histogram.Histogram
  /** The prompt tokens of successes, and how many of them providers read from their caches. */
  readonly promptTokens: number
  readonly cachedTokens: number
}

const empty: Tally = {
  successes: 0,
  failures: 0,
  invalid: 0,
  rateLimited: 0,
  errors: new Map(),
  latency: Histogram.empty,
  throughput: Histogram.empty,
  promptTokens: 0,
  cachedTokens: 0
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
        latency: addLatency(tally.latency, outcome),
        throughput:
          throughput === undefined ? tally.throughput : Histogram.add(tally.throughput, throughput),
        promptTokens: tally.promptTokens + getPromptTokens(outcome),
        cachedTokens: tally.cachedTokens + getCachedTokens(outcome)
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
    case "first_event":
      return { ...tally, latency: addLatency(tally.latency, outcome) }
    case "ignored":
      return tally
  }
}

const addLatency = (latency: Histogram.Histogram, outcome: Outcome): Histogram.Histogram => {
  const millis = getLatency(outcome)
  return millis === undefined ? latency : Histogram.add(latency, millis)
}

const getThroughput = ({
  latencyMillis,
  outputTokens,
  totalMillis = latencyMillis
}: Outcome): number | undefined =>
  outputTokens === undefined || outputTokens <= 0 || totalMillis === undefined
    ? undefined
    : (outputTokens * 1_000) / Math.max(totalMillis, 1)

const getPromptTokens = ({ prompt }: Outcome): number => prompt?.inputTokens ?? 0

const getCachedTokens = ({ prompt }: Outcome): number => prompt?.cachedTokens ?? 0

/** Adds outcomes that all are successes or first events, with one copy. */
export const addPlain = (tally: Tally, outcomes: ReadonlyArray<Outcome>): Tally => {
  let { cachedTokens, promptTokens, successes } = tally
  for (const outcome of outcomes) {
    if (!isSuccess(outcome)) continue
    successes += 1
    promptTokens += getPromptTokens(outcome)
    cachedTokens += getCachedTokens(outcome)
  }
  return {
    ...tally,
    successes,
    latency: Histogram.addAll(tally.latency, outcomes, getLatency),
    throughput: Histogram.addAll(tally.throughput, outcomes, getSuccessThroughput),
    promptTokens,
    cachedTokens
  }
}

const getSuccessThroughput = (outcome: Outcome): number | undefined =>
  isSuccess(outcome) ? getThroughput(outcome) : undefined

const isSuccess = ({ result }: Outcome): boolean => result === "success"

const merge = (self: Tally, that: Tally): Tally => ({
  successes: self.successes + that.successes,
  failures: self.failures + that.failures,
  invalid: self.invalid + that.invalid,
  rateLimited: self.rateLimited + that.rateLimited,
  errors: that.errors.size === 0 ? self.errors : addErrors(self.errors, that.errors),
  latency: Histogram.merge(self.latency, that.latency),
  throughput: Histogram.merge(self.throughput, that.throughput),
  promptTokens: self.promptTokens + that.promptTokens,
  cachedTokens: self.cachedTokens + that.cachedTokens
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
