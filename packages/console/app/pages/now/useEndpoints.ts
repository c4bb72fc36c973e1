/** A page of the endpoints as they are now, kept up to date by events. */
import type { OperationResponse } from "@signalbox/core/contract"
import { type Followed, useEvents } from "../../api/useEvents.ts"
import { type Query, toUrl } from "../../api/request.ts"

type Report = OperationResponse<"live.listEndpoints">["data"]
export type LiveEndpoint = Report["endpoints"][number]

export interface LiveState {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** In the order of the page. */
  readonly endpoints: ReadonlyMap<string, LiveEndpoint>
  /** How many match, on all pages. */
  readonly total: number
}

const path = "api/v1/signalbox/endpoints"

/** The first event has the whole page, later ones what has changed of it. */
export const addReport = (state: LiveState | undefined, event: string): LiveState => {
  const { at, endpoints, order, total_count: total }: Report = JSON.parse(event)
  const known = new Map([
    ...(state?.endpoints ?? []),
    ...endpoints.map((endpoint) => [endpoint.endpoint_id, endpoint] as const)
  ])
  const ids = order ?? [...known.keys()]
  return {
    at: Date.parse(at),
    endpoints: new Map(
      ids.flatMap((id) => {
        const endpoint = known.get(id)
        return endpoint === undefined ? [] : [[id, endpoint] as const]
      })
    ),
    total
  }
}

export const useEndpoints = (query: Query): Followed<LiveState> =>
  useEvents(
    toUrl(`${path}/events`, { ...query, interval: 5 }),
    toUrl(path, { ...query, limit: 1 }),
    addReport
  )
