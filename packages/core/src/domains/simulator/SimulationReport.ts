/** What a strategy would have done with recorded traffic. */
import type { NanoUsd } from "../../values/usage/NanoUsd.ts"

/** The figures of one run, or of the recording itself. Latencies are in milliseconds, from the request to its first event. */
export interface LatencyFigures {
  readonly requests: number
  /** Requests without an answer. */
  readonly failures: number
  /** Percentiles over the answered requests; absent: none was answered. */
  readonly p50?: number
  readonly p95?: number
  readonly p99?: number
  /** The latency that so large a share of the answered requests does not exceed, in steps towards the slowest. */
  readonly quantiles: ReadonlyArray<{ readonly share: number; readonly millis: number }>
  /** By the time of the requests, in equal steps; a step without answers has no percentiles. */
  readonly overTime: ReadonlyArray<LatencyStep>
}

/** The requests of one step of time. */
export interface LatencyStep {
  /** The beginning, in milliseconds since the epoch. */
  readonly at: number
  readonly requests: number
  readonly p50?: number
  readonly p95?: number
}

/** Requests under way at an endpoint: the mean over the time, and what 99 % of its calls found at most, themselves included. */
export interface LoadFigures {
  readonly mean: number
  readonly p99: number
}

/** Why a run says little about an endpoint. */
export interface Extrapolation {
  /** The id of the endpoint. */
  readonly endpoint: string
  /**
   * `load`: more than twice the recorded requests are under way in busy moments, and a recording does not know a queue that it never filled.
   * `time`: for more than one call in twenty nothing is recorded within the window.
   */
  readonly reason: "load" | "time"
  /** The `p99` of the requests under way, or the share of the calls for which something is recorded. */
  readonly recorded: number
  readonly simulated: number
}

/** What a strategy would have done with recorded traffic. */
export interface SimulationReport extends LatencyFigures {
  /** The name of the strategy, with `hedged` when it was. */
  readonly name: string
  readonly seed: number
  readonly windowMillis: number
  /** Nano-USD of all answers; absent: a price is unknown. */
  readonly cost?: NanoUsd
  readonly attempts: number
  /** The share of the attempts of each endpoint, by id. */
  readonly shares: Readonly<Record<string, number>>
  /** Second attempts that were made because the first took long, and those that answered first. */
  readonly hedges: number
  readonly hedgeWins: number
  /** By the id of the endpoint, as recorded and as simulated. */
  readonly load: Readonly<
    Record<string, { readonly recorded: LoadFigures; readonly simulated: LoadFigures }>
  >
  /** Endpoints whose recording is too small for this run; a run with any of these is not ranked. */
  readonly extrapolates: ReadonlyArray<Extrapolation>
  /** Endpoints without a recording, which the run leaves out. */
  readonly unrecorded: ReadonlyArray<string>
  /** Requests for models without a recorded endpoint, which are left out. */
  readonly skipped: number
}
