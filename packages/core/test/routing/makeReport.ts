/** Health reports for tests; healthy by default. */
import type { EndpointReport, HealthSnapshot } from "../../src/engine/health/HealthSnapshot.ts"

export const makeReport = (overrides: Partial<EndpointReport> = {}): EndpointReport => ({
  samples: 0,
  throughputSamples: 0,
  answers: { valid: 0, invalid: 0 },
  errors: {},
  rateLimited: 0,
  uptime: {},
  breaker: { state: "closed" },
  ...overrides
})

/** Every percentile the same. */
export const makeFlatPercentiles = (value: number) => ({
  p50: value,
  p75: value,
  p90: value,
  p99: value
})

/** Measured by 100 successes: median latency in milliseconds, throughput in tokens per second. */
export const makeMeasuredReport = ({
  latency,
  throughput
}: {
  readonly latency?: number
  readonly throughput?: number
}): EndpointReport =>
  makeReport({
    samples: 100,
    throughputSamples: throughput === undefined ? 0 : 100,
    ...(latency === undefined ? undefined : { latency: makeFlatPercentiles(latency) }),
    ...(throughput === undefined ? undefined : { throughput: makeFlatPercentiles(throughput) })
  })

export const downReport = makeReport({ outage: { failures: 3, of: 4 } })

/** By tag, for endpoints of `a/b`. */
export const makeSnapshot = (
  reports: Readonly<Record<string, EndpointReport>> = {},
  at = 1_000_000
): HealthSnapshot => ({
  at,
  endpoints: Object.fromEntries(
    Object.entries(reports).map(([tag, each]) => [tag.includes("@") ? tag : `a/b@${tag}`, each])
  )
})
