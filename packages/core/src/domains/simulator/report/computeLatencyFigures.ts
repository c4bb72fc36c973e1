/** Percentiles of latencies, and how they develop. */
import type { LatencyFigures, LatencyStep } from "../SimulationReport.ts"

interface TimedLatency {
  /** When the request came, in milliseconds since the epoch. */
  readonly at: number
  /** Absent: it was not answered. */
  readonly answeredMillis?: number
}

/** More of them lie where requests are slow. */
const shares = [
  0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.96, 0.97,
  0.98, 0.985, 0.99, 0.995, 0.999, 1
]
const steps = 60

/** `requests` are in the order in which they came. */
export const computeLatencyFigures = (requests: ReadonlyArray<TimedLatency>): LatencyFigures => {
  const answered = sortLatencies(requests)
  const percentiles = pickPercentiles(answered, { p50: 0.5, p95: 0.95, p99: 0.99 })
  return {
    requests: requests.length,
    failures: requests.length - answered.length,
    ...percentiles,
    quantiles:
      answered.length === 0
        ? []
        : shares.map((share) => ({ share, millis: getQuantile(answered, share) })),
    overTime: listSteps(requests)
  }
}

const listSteps = (requests: ReadonlyArray<TimedLatency>): ReadonlyArray<LatencyStep> => {
  const from = requests[0]?.at
  const to = requests.at(-1)?.at
  if (from === undefined || to === undefined) return []
  const length = Math.max(1, (to - from + 1) / steps)
  const byStep = Array.from({ length: steps }, (): Array<TimedLatency> => [])
  for (const request of requests) {
    byStep[Math.min(steps - 1, Math.floor((request.at - from) / length))]!.push(request)
  }
  return byStep.map((some, step) => ({
    at: Math.round(from + step * length),
    requests: some.length,
    ...pickPercentiles(sortLatencies(some), { p50: 0.5, p95: 0.95 })
  }))
}

const sortLatencies = (requests: ReadonlyArray<TimedLatency>): ReadonlyArray<number> =>
  requests
    .flatMap(({ answeredMillis }) => (answeredMillis === undefined ? [] : [answeredMillis]))
    .toSorted((one, other) => one - other)

/** The smallest value that so large a share of the sorted ones does not exceed. */
export const getQuantile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!

const pickPercentiles = <Name extends string>(
  sorted: ReadonlyArray<number>,
  wanted: Readonly<Record<Name, number>>
): Partial<Record<Name, number>> => {
  const picked: Partial<Record<Name, number>> = {}
  if (sorted.length === 0) return picked
  for (const name in wanted) picked[name] = getQuantile(sorted, wanted[name])
  return picked
}
