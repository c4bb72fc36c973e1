/** The configuration of a process of a fleet. */
export interface FleetProcessConfig {
  readonly postgresUrl: string
  readonly redisUrl: string
  /** The URLs of two providers, each of which can answer every request. */
  readonly upstreams: readonly [string, string]
  /** How far the clock of the process is ahead of the system's. */
  readonly skewMillis: number
  /** Whether records are stored before requests are answered, in place of soon after. */
  readonly recordsFirst: boolean
}

/** Keys that share one limit of requests in all processes. */
export const pacedKeys = ["sk-fleet-paced-1", "sk-fleet-paced-2"] as const

/** So few requests in so long a window that no test sees the window pass. */
export const pacedLimit = { requests: 40, windowMillis: 24 * 3_600_000 }
