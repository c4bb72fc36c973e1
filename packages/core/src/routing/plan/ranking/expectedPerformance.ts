/** The expected speed and quality of a candidate: its own measurements, or its peers' until it has enough. */
import type { EndpointReport, HealthSnapshot } from "../../../engine/health/HealthSnapshot.ts"
import type { Candidate } from "../../Candidate.ts"

export interface Metric {
  readonly getValue: (report: EndpointReport) => number | undefined
  readonly getSamples: (report: EndpointReport) => number
}

/** The median, in milliseconds. */
export const latencyMetric: Metric = {
  getValue: (report) => report.latency?.p50,
  getSamples: (report) => report.samples
}

/** The recent average, in milliseconds. */
export const recentLatencyMetric: Metric = {
  getValue: ({ recentMillis }) => recentMillis,
  getSamples: ({ samples }) => samples
}

/** The median, in tokens per second. */
export const throughputMetric: Metric = {
  getValue: (report) => report.throughput?.p50,
  getSamples: (report) => report.throughputSamples
}

/** The share of answers that were valid, 0 to 1. */
export const validAnswerShare: Metric = {
  getValue: ({ answers: { invalid, valid } }) =>
    valid + invalid === 0 ? undefined : valid / (valid + invalid),
  getSamples: ({ answers: { invalid, valid } }) => valid + invalid
}

/**
 * Undefined when neither the candidate nor a peer has been measured. Peers are the endpoints of the
 * same model; the fewer samples a candidate has, the more their median counts.
 */
export const makePerformanceEstimator = (
  candidates: ReadonlyArray<Candidate>,
  { endpoints }: HealthSnapshot,
  metric: Metric,
  minSamples: number
): ((candidate: Candidate) => number | undefined) => {
  const getOwnMeasurement = (candidate: Candidate): WeightedMeasurement => {
    // An untried copy on a customer's own credential is expected to perform like its original.
    const report = endpoints[candidate.id] ?? endpoints[candidate.endpoint.id]
    const value = report === undefined ? undefined : metric.getValue(report)
    if (report === undefined || value === undefined) return unmeasured
    // A replayed snapshot may hold any number, and negative weights could cancel out.
    const samples = Math.max(0, metric.getSamples(report))
    return { value, weight: samples >= minSamples ? 1 : samples / minSamples }
  }
  const peerMedians = new Map<string, number | undefined>()
  const getPeerMedian = (model: string): number | undefined => {
    if (!peerMedians.has(model)) {
      const peers = candidates
        .filter(({ endpoint }) => endpoint.model === model)
        .map(getOwnMeasurement)
      peerMedians.set(
        model,
        median(peers.flatMap(({ value, weight }) => (weight === 1 ? value : [])))
      )
    }
    return peerMedians.get(model)
  }
  return (candidate) => {
    const { value, weight } = getOwnMeasurement(candidate)
    if (weight === 1) return value
    const peers = getPeerMedian(candidate.endpoint.model)
    if (value === undefined || peers === undefined) return value ?? peers
    return value * weight + peers * (1 - weight)
  }
}

type WeightedMeasurement =
  | { readonly value: number; readonly weight: number }
  | { readonly value: undefined; readonly weight: 0 }

const unmeasured: WeightedMeasurement = { value: undefined, weight: 0 }

const median = (values: ReadonlyArray<number>): number | undefined => {
  if (values.length === 0) return undefined
  const sorted = values.toSorted((self, that) => self - that)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1]! + sorted[middle]!) / 2
}
