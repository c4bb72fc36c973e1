/** The health of endpoints at one moment: plain JSON, so that a plan can be saved and replayed. */
import type { ControlState } from "./control/LiveControls.ts"

/** What plans know of endpoints: their health, and what operators ask of them. */
export interface HealthSnapshot {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** By id, which always contains an `@`; an endpoint never tried is absent. */
  readonly endpoints: Readonly<Record<string, EndpointReport>>
  /** What operators ask of these endpoints, by id; absent: nothing. */
  readonly controls?: Readonly<Record<string, ControlState>>
}

/** The measurements of an endpoint in one window. */
export interface WindowStats {
  /** The number of successes. Check it before ranking: percentiles exist for few samples too. */
  readonly samples: number
  /** The time to the answer of successes, or to the first event of streams, in milliseconds; absent without any. */
  readonly latency?: Percentiles
  /** Output tokens per second: 90 % of the requests reach `p90`. Absent without samples. */
  readonly throughput?: Percentiles
  readonly throughputSamples: number
  /** The share of the prompt tokens that the provider read from its cache, 0 to 1. Absent without prompt tokens. */
  readonly cachedShare?: number
  readonly answers: { readonly valid: number; readonly invalid: number }
  /** Failures by kind. */
  readonly errors: Readonly<Record<string, number>>
  readonly rateLimited: number
}

/** The health of one endpoint, over the last five minutes unless stated otherwise. */
export interface EndpointReport extends WindowStats {
  /**
   * A moving average of the latency in milliseconds, on a logarithmic scale; each attempt has a weight of 0.1. Absent
   * without an attempt in five minutes.
   */
  readonly recentMillis?: number
  /** Attempts under way in this process; absent: none. */
  readonly inFlight?: number
  /**
   * Attempts under way in this process that have not begun to answer for much longer than usual. For plans they count as
   * failures until they answer or end. Absent: none.
   */
  readonly suspected?: number
  readonly uptime: Uptime
  /** A significant outage in the last seconds. */
  readonly outage?: Outage
  /**
   * The share of requests that get through, from 0 to 1, after an outage that processes saw together and that nothing has disproved;
   * absent: all.
   */
  readonly returning?: number
  readonly breaker: BreakerReport
  /** The last thirty minutes and the last day; plans do not use them. */
  readonly longer?: { readonly m30: WindowStats; readonly d1: WindowStats }
}

/** Percentiles of a measurement, in its own unit. */
export interface Percentiles {
  readonly p50: number
  readonly p75: number
  readonly p90: number
  /** Absent in snapshots saved by earlier versions. */
  readonly p95?: number
  readonly p99: number
}

/** Successes in percent of successes and failures; absent while there are too few. */
export interface Uptime {
  /** Over five minutes. */
  readonly m5?: number
  /** Over thirty minutes. */
  readonly m30?: number
  /** Over a day. */
  readonly d1?: number
}

/** How many of the last attempts failed, within `outageWindowMillis`. */
export interface Outage {
  readonly failures: number
  readonly of: number
  /** How many of the failures are attempts under way that are later than usual; absent: none. */
  readonly suspected?: number
  /**
   * The processes that saw the failures; absent: this one. Without failures, a provider asked one of the processes to wait.
   */
  readonly processes?: number
}

/** Whether a health entry belongs to a customer's own credential rather than to the host's endpoint. */
export const isCredentialEndpointId = (id: string): boolean => /#[0-9a-f-]{36}$/.test(id)

/** Times are milliseconds since the epoch. */
export type BreakerReport =
  | { readonly state: "closed" }
  | {
      readonly state: "open"
      readonly since: number
      /** Such as `12 of 20 failed in 60 s`. */
      readonly cause: string
      /** When the next probe is let through; a time in the past means now. */
      readonly nextProbeAt: number
    }
  | {
      readonly state: "ramping"
      readonly since: number
      /** The share of its traffic that is let through, from 0 to 1. */
      readonly share: number
    }
  | {
      readonly state: "backing_off"
      readonly since: number
      /** Such as `rate limited 3 times in a row`. */
      readonly cause: string
      readonly until: number
    }

/** A snapshot without any endpoint. */
export const emptyHealthSnapshot: HealthSnapshot = { at: 0, endpoints: {} }
