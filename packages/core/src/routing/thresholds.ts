/** The cut-offs of `preferred_max_latency` and `preferred_min_throughput`, ready to be checked. Source: semantics A2. */
import type { EndpointReport, Percentiles } from "../health/HealthSnapshot.ts"
import type { Preferences } from "./Preferences.ts"
import type { Demotion, Reason } from "./Reason.ts"

export interface Threshold {
  readonly rule: Demotion
  readonly wanted: string
  /** What was found, when an endpoint misses it; an endpoint of too few samples misses nothing. */
  readonly misses: (report: EndpointReport, minSamples: number) => string | undefined
}

const percentiles = ["p50", "p75", "p90", "p99"] as const

type Cutoffs = Preferences["preferred_max_latency"]

/** All of them must hold; a plain number is the median. */
export const thresholdsOf = (preferences: Preferences): ReadonlyArray<Threshold> => [
  ...cutoffs(preferences.preferred_max_latency).map(([name, cutoff]) => maxLatency(name, cutoff)),
  ...cutoffs(preferences.preferred_min_throughput).map(([name, cutoff]) =>
    minThroughput(name, cutoff)
  )
]

export const missed = (
  thresholds: ReadonlyArray<Threshold>,
  report: EndpointReport | undefined,
  minSamples: number
): ReadonlyArray<Reason<Demotion>> => {
  let reasons: Array<Reason<Demotion>> | undefined
  if (report === undefined) return none
  for (const { misses, rule, wanted } of thresholds) {
    const found = misses(report, minSamples)
    if (found !== undefined) (reasons ??= []).push({ rule, source: "request", wanted, found })
  }
  return reasons ?? none
}

const none: ReadonlyArray<Reason<Demotion>> = []

const cutoffs = (stated: Cutoffs): ReadonlyArray<readonly [keyof Percentiles, number]> => {
  if (stated == null) return []
  if (typeof stated === "number") return [["p50", stated]]
  return percentiles.flatMap((name) => {
    const cutoff = stated[name]
    return cutoff == null ? [] : [[name, cutoff] as const]
  })
}

/** Compared in milliseconds, in which it is measured; 1e-9 of slack absorbs the conversion. */
const maxLatency = (name: keyof Percentiles, seconds: number): Threshold => ({
  rule: "preferred_max_latency",
  wanted: `${name} latency <= ${seconds} s`,
  misses: ({ latency, samples }, minSamples) =>
    latency === undefined || samples < minSamples || latency[name] <= seconds * 1_000 * (1 + 1e-9)
      ? undefined
      : `${rounded(latency[name] / 1_000)} s over ${samples} samples`
})

/** p90 >= 50 means that 90 % of requests reach 50 tokens a second. */
const minThroughput = (name: keyof Percentiles, least: number): Threshold => ({
  rule: "preferred_min_throughput",
  wanted: `${name} throughput >= ${least} tokens/s`,
  misses: ({ throughput, throughputSamples }, minSamples) =>
    throughput === undefined || throughputSamples < minSamples || throughput[name] >= least
      ? undefined
      : `${rounded(throughput[name])} tokens/s over ${throughputSamples} samples`
})

/** As many digits as are measured: with fewer, what was found might look like what was wanted. */
const rounded = (value: number): number => Number(value.toPrecision(4))
