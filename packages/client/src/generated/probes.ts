/** Probes: the operations of the group `probes`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface ProbesLiveOutput {
  readonly status: "live"
}

export interface ProbesReadyOutput {
  readonly status: "ready"
}

/** Probes. */
export const probes = (connection: Connection) => ({
  /** Check liveness. Succeeds even during shutdown. Needs no key. */
  live: (options?: CallOptions): Promise<ProbesLiveOutput> =>
    connection.call("GET /api/v1/signalbox/live", undefined, options),
  /** Check readiness. Fails with 503 during shutdown, and while the storage cannot be used. Needs no key. */
  ready: (options?: CallOptions): Promise<ProbesReadyOutput> =>
    connection.call("GET /api/v1/signalbox/ready", undefined, options)
})
