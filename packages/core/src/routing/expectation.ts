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
    const report = endpoints[candidate.endpoint.id]
    const value = report === undefined ? undefined : metric.value(report)
    return value === undefined || report === undefined
      ? unmeasured
      : { value, weight: Math.min(1, metric.samples(report) / minSamples) }
  }
  const measured = new Map<string, Array<number>>()
  for (const candidate of candidates) {
    const { value, weight } = own(candidate)
    if (value === undefined || weight < 1) continue
    const values = measured.get(candidate.endpoint.model)
    if (values === undefined) measured.set(candidate.endpoint.model, [value])
    else values.push(value)
  }
  const typical = new Map(Array.from(measured, ([model, values]) => [model, median(values)]))
  const expected = new Map(
    candidates.map((candidate) => {
      const { value, weight } = own(candidate)
      const peers = typical.get(candidate.endpoint.model)
      if (value === undefined) return [candidate.id, peers]
      return [candidate.id, peers === undefined ? value : value * weight + peers * (1 - weight)]
    })
  )
  return (candidate) => expected.get(candidate.id)
}

interface Own {
  readonly value: number | undefined
  /** 1 when there are samples enough. */
  readonly weight: number
}

const unmeasured: Own = { value: undefined, weight: 0 }

const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((self, that) => self - that)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
