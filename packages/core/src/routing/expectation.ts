/** What to expect of a candidate's speed and quality: its own measurements, or its peers' until it has enough. */
import type { EndpointReport, HealthSnapshot } from "../health/HealthSnapshot.ts"
import type { Candidate } from "./Candidate.ts"

export interface Metric {
  readonly value: (report: EndpointReport) => number | undefined
  readonly samples: (report: EndpointReport) => number
}

/** The median, in milliseconds. */
export const latency: Metric = {
  value: (report) => report.latency?.p50,
  samples: (report) => report.samples
}

/** The median, in tokens per second. */
export const throughput: Metric = {
  value: (report) => report.throughput?.p50,
  samples: (report) => report.throughputSamples
}

/** The share of answers that were valid, 0 to 1. */
export const validShare: Metric = {
  value: ({ answers: { invalid, valid } }) =>
    valid + invalid === 0 ? undefined : valid / (valid + invalid),
  samples: ({ answers: { invalid, valid } }) => valid + invalid
}

/**
 * Undefined when neither the candidate nor a peer has been measured. Peers are the endpoints of the
 * same model; the fewer samples a candidate has, the more their median counts. Source: semantics A1.
 */
export const expectations = (
  candidates: ReadonlyArray<Candidate>,
  { endpoints }: HealthSnapshot,
  metric: Metric,
  minSamples: number
): ((candidate: Candidate) => number | undefined) => {
  const own = (candidate: Candidate): Own => {
    // A copy on a customer's own credential that was never tried is expected to be like its original.
    const report = endpoints[candidate.id] ?? endpoints[candidate.endpoint.id]
    const value = report === undefined ? undefined : metric.value(report)
    if (report === undefined || value === undefined) return unmeasured
    // A replayed snapshot may hold any number, and a negative weight could make of two of them none.
    const samples = Math.max(0, metric.samples(report))
    return { value, weight: samples >= minSamples ? 1 : samples / minSamples }
  }
  const typical = new Map<string, number | undefined>()
  const ofPeers = (model: string): number | undefined => {
    if (!typical.has(model)) {
      const peers = candidates.filter(({ endpoint }) => endpoint.model === model).map(own)
      typical.set(model, median(peers.flatMap(({ value, weight }) => (weight === 1 ? value : []))))
    }
    return typical.get(model)
  }
  return (candidate) => {
    const { value, weight } = own(candidate)
    if (weight === 1) return value
    const peers = ofPeers(candidate.endpoint.model)
    if (value === undefined || peers === undefined) return value ?? peers
    return value * weight + peers * (1 - weight)
  }
}

type Own =
  | { readonly value: number; readonly weight: number }
  | { readonly value: undefined; readonly weight: 0 }

const unmeasured: Own = { value: undefined, weight: 0 }

const median = (values: ReadonlyArray<number>): number | undefined => {
  if (values.length === 0) return undefined
  const sorted = values.toSorted((self, that) => self - that)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1]! + sorted[middle]!) / 2
}
