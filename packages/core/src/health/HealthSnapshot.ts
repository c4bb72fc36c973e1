/** What is known of endpoints at one moment: plain JSON, so that a plan can be saved and replayed. */
export interface HealthSnapshot {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** By id, which always contains an `@`; an endpoint never tried is absent. */
  readonly endpoints: Readonly<Record<string, EndpointReport>>
}

/** What was measured of an endpoint in one window of time. */
export interface WindowStats {
  /** Successes. Percentiles of few samples are there too: who ranks by them looks here first. */
  readonly samples: number
  /** Milliseconds of successes; absent without samples. */
  readonly latency?: Percentiles
  /** Output tokens a second: `p90` is what 90 % of the requests reach or better. Absent without samples. */
  readonly throughput?: Percentiles
  readonly throughputSamples: number
  readonly answers: { readonly valid: number; readonly invalid: number }
  /** Failures by kind. */
  readonly errors: Readonly<Record<string, number>>
  readonly rateLimited: number
}

/** What is known of one endpoint; where nothing else is said, of its last five minutes. */
export interface EndpointReport extends WindowStats {
  readonly uptime: Uptime
  /** There is a significant outage in the last seconds. */
  readonly outage?: Outage
  readonly breaker: BreakerReport
  /** The last thirty minutes and the last day, for those who look: plans are made without them. */
  readonly longer?: { readonly m30: WindowStats; readonly d1: WindowStats }
}

export interface Percentiles {
  readonly p50: number
  readonly p75: number
  readonly p90: number
  readonly p99: number
}

/** Successes in percent of successes and failures; absent while there are too few to tell. */
export interface Uptime {
  /** Of five minutes. */
  readonly m5?: number
  /** Of thirty minutes. */
  readonly m30?: number
  /** Of a day. */
  readonly d1?: number
}

export interface Outage {
  readonly failures: number
  readonly of: number
}

/** Times are milliseconds since the epoch. */
export type BreakerReport =
  | { readonly state: "closed" }
  | {
      readonly state: "open"
      readonly since: number
      /** Such as `12 of 20 failed in 60 s`. */
      readonly cause: string
      /** When the next attempt is let through; in the past, the next request may be it. */
      readonly nextProbeAt: number
    }
  | {
      readonly state: "ramping"
      readonly since: number
      /** How much of its traffic it should get again, from 0 to 1. */
      readonly share: number
    }
  | {
      readonly state: "backing_off"
      readonly since: number
      /** Such as `rate limited 3 times in a row`. */
      readonly cause: string
      readonly until: number
    }

/** Nothing is known of any endpoint. */
export const emptyHealthSnapshot: HealthSnapshot = { at: 0, endpoints: {} }
