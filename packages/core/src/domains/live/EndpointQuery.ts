/** What selects and orders the endpoints that are watched. */
import type { HealthSnapshot } from "../../engine/health/HealthSnapshot.ts"

/** The state of a breaker. */
export type BreakerState = HealthSnapshot["endpoints"][string]["breaker"]["state"]

/** From the healthiest to the most urgent. */
export const breakerStates = [
  "closed",
  "ramping",
  "backing_off",
  "open"
] as const satisfies ReadonlyArray<BreakerState>

/** How watched endpoints are ordered. */
export const endpointSorts = ["model", "requests", "failures", "latency", "state"] as const

export type EndpointSort = (typeof endpointSorts)[number]

/** Which endpoints are meant. */
export interface EndpointFilter {
  /** Words that the id contains, in any order and in any case. */
  readonly q?: string
  /** The slug of a model. */
  readonly model?: string
  /** The slug or the name of a provider. */
  readonly provider?: string
}

export interface EndpointQuery extends EndpointFilter {
  readonly state?: ReadonlyArray<BreakerState>
  /** Absent: as the host lists them. */
  readonly sort?: EndpointSort
  readonly offset: number
  /** Absent: no limit. */
  readonly limit?: number
}
