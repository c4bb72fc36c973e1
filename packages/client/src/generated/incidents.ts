/** Incidents: the operations of the group `incidents`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Incident {
  readonly id: string
  readonly provider: string
  readonly provider_name: string
  readonly state: "open" | "ended"
  readonly started_at: string
  readonly ended_at: string | null
  readonly endpoints: ReadonlyArray<{
    readonly endpoint_id: string
    readonly model: string
    readonly started_at: string
    readonly ended_at: string | null
    readonly cause: string
    readonly processes: ReadonlyArray<{
      readonly id: string
      readonly seen_at: string
    }>
  }>
  readonly impact: {
    readonly failed_requests: number
    readonly affected_users: number
    readonly moved_requests: number
    readonly moved_to: ReadonlyArray<{
      readonly provider: string
      readonly requests: number
    }>
    readonly counted_until: string
    readonly is_complete: boolean
  } | null
}

export interface IncidentsListInput {
  /** The `next_cursor` of the previous page. */
  readonly starting_after?: string
  /** Number of items to return. */
  readonly limit?: number
  /** Slug of a provider. */
  readonly provider?: string
  /** Id of an endpoint that failed. */
  readonly endpoint?: string
  /** Whether they last. Default: all. */
  readonly state?: "open" | "ended"
  /** Only incidents that lasted then or later. */
  readonly from?: string
  /** Only incidents that began before. */
  readonly to?: string
}

export interface IncidentsListPage {
  readonly data: ReadonlyArray<Incident>
  readonly has_more: boolean
  readonly next_cursor?: string
}

/** Incidents. */
export const incidents = (connection: Connection) => ({
  /** List the times in which endpoints of a provider failed, newest first. All processes on a store report to one incident: it begins with the first open circuit breaker and ends when all are closed. `impact` counts the records of all accounts, up to 10,000 in a call; the next call goes on. */
  list: (input?: IncidentsListInput, options?: CallOptions): Paged<IncidentsListPage, Incident> =>
    connection.list<Incident, IncidentsListPage>("GET /api/v1/signalbox/incidents", input, options)
})
