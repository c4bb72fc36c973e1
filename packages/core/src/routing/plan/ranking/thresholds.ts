/** Parses the cut-offs of `preferred_max_latency` and `preferred_min_throughput`. */
import type { EndpointReport, Percentiles } from "../../../engine/health/HealthSnapshot.ts"
import type { Preferences } from "../../Preferences.ts"
import type { Demotion, Reason } from "../../Reason.ts"

export interface Threshold {
  readonly rule: Demotion
  readonly wanted: string
  /** The measured value when an endpoint misses it; an endpoint with too few samples misses nothing. */
  readonly findMiss: (report: EndpointReport, minSamples: number) => string | undefined
}

const percentiles = ["p50", "p75", "p90", "p99"] as const

type Percentile = (typeof percentiles)[number] & keyof Percentiles

type Cutoffs = Preferences["preferred_max_latency"]

/** All of them must hold; a plain number applies to the median. */
export const parseThresholds = ({
  preferred_max_latency: latency,
  preferred_min_throughput: throughput
}: Preferences): ReadonlyArray<Threshold> =>
  latency == null && throughput == null
    ? noThresholds
    : [
        ...toCutoffs(latency).map(([name, cutoff]) => makeLatencyThreshold(name, cutoff)),
        ...toCutoffs(throughput).map(([name, cutoff]) => makeThroughputThreshold(name, cutoff))
      ]

const noThresholds: ReadonlyArray<Threshold> = []

export const findMissedThresholds = (
  thresholds: ReadonlyArray<Threshold>,
  report: EndpointReport | undefined,
  minSamples: number
): ReadonlyArray<Reason<Demotion>> => {
  let reasons: Array<Reason<Demotion>> | undefined
  if (report === undefined) return noReasons
  for (const { findMiss, rule, wanted } of thresholds) {
    const found = findMiss(report, minSamples)
    if (found !== undefined) (reasons ??= []).push({ rule, source: "request", wanted, found })
  }
  return reasons ?? noReasons
}

const noReasons: ReadonlyArray<Reason<Demotion>> = []

const toCutoffs = (stated: Cutoffs): ReadonlyArray<readonly [Percentile, number]> => {
  if (stated == null) return []
  if (typeof stated === "number") return [["p50", stated]]
  return percentiles.flatMap((name) => {
    const cutoff = stated[name]
    return cutoff == null ? [] : [[name, cutoff] as const]
  })
}

/** Compared in milliseconds, in which it is measured; 1e-9 of slack absorbs the conversion. */
const makeLatencyThreshold = (name: Percentile, seconds: number): Threshold => ({
  rule: "preferred_max_latency",
  wanted: `${name} latency <= ${seconds} s`,
  findMiss: ({ latency, samples }, minSamples) =>
    latency === undefined || samples < minSamples || latency[name] <= seconds * 1_000 * (1 + 1e-9)
      ? undefined
      : `${roundToPrecision(latency[name] / 1_000)} s over ${samples} samples`
})

/** p90 >= 50 means that 90 % of requests reach 50 tokens a second. */
const makeThroughputThreshold = (name: Percentile, minimum: number): Threshold => ({
  rule: "preferred_min_throughput",
  wanted: `${name} throughput >= ${minimum} tokens/s`,
  findMiss: ({ throughput, throughputSamples }, minSamples) =>
    throughput === undefined || throughputSamples < minSamples || throughput[name] >= minimum
      ? undefined
      : `${roundToPrecision(throughput[name])} tokens/s over ${throughputSamples} samples`
})

/** All measured digits: with fewer, the value found could look equal to the value wanted. */
const roundToPrecision = (value: number): number => Number(value.toPrecision(4))
