/** What the router knows of endpoints at one moment: plain JSON, saved and replayed. */
export interface Percentiles {
  readonly p50: number
  readonly p75: number
  readonly p90: number
  readonly p99: number
}
export type BreakerReport =
  | { readonly state: "closed" }
  | {
      readonly state: "open"
      readonly since: number
      readonly cause: string
      readonly nextProbeAt: number
    }
  | { readonly state: "ramping"; readonly since: number; readonly share: number }
  | {
      readonly state: "backing_off"
      readonly since: number
      readonly cause: string
      readonly until: number
    }
export interface EndpointReport {
  readonly samples: number
  readonly latency?: Percentiles
  readonly throughput?: Percentiles
  readonly throughputSamples: number
  readonly answers: { readonly valid: number; readonly invalid: number }
  readonly errors: Readonly<Record<string, number>>
  readonly rateLimited: number
  readonly uptime: { readonly m5?: number; readonly m30?: number; readonly d1?: number }
  readonly outage?: { readonly failures: number; readonly of: number }
  readonly breaker: BreakerReport
}
export interface HealthSnapshot {
  readonly at: number
  readonly endpoints: Readonly<Record<string, EndpointReport>>
}
export const healthy: HealthSnapshot = { at: 0, endpoints: {} }
