/** The endpoints as they are now, kept up to date by events. */
import type { OperationResponse } from "@signalbox/core/contract"
import { type Followed, useEvents } from "../../api/useEvents.ts"

type Report = OperationResponse<"live.listEndpoints">["data"]
export type LiveEndpoint = Report["endpoints"][number]

export interface LiveState {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly endpoints: ReadonlyMap<string, LiveEndpoint>
}

const path = "api/v1/signalbox/endpoints"

/** The first event has all endpoints, later ones those that have changed. */
const addReport = (state: LiveState | undefined, event: string): LiveState => {
  const { at, endpoints }: Report = JSON.parse(event)
  return {
    at: Date.parse(at),
    endpoints: new Map([
      ...(state?.endpoints ?? []),
      ...endpoints.map((endpoint) => [endpoint.endpoint_id, endpoint] as const)
    ])
  }
}

export const useEndpoints = (): Followed<LiveState> =>
  useEvents(`${path}/events?interval=5`, path, addReport)
