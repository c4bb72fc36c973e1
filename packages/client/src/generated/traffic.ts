/** Traffic: the operations of the group `traffic`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface Traffic {
  readonly kind: "endpoint" | "provider"
  readonly id: string
  readonly state: "active" | "drained" | "disabled"
  readonly weight: number
  readonly reason: string | null
  readonly version: number
  readonly updated_at: string
}

export interface TrafficControl {
  readonly from: string
  readonly to: string
  readonly requests: number
  readonly is_sample: boolean
  readonly lost_models: ReadonlyArray<{
    readonly model: string
    readonly requests: number
  }>
  readonly lost_model_count: number
  readonly lost_requests: number
  readonly before: {
    readonly failures: number
    readonly cost: number | null
    readonly latency: {
      readonly p50: number
      readonly p95: number
    } | null
  } | null
  readonly after: {
    readonly failures: number
    readonly cost: number | null
    readonly latency: {
      readonly p50: number
      readonly p95: number
    } | null
  } | null
  readonly cost_change: number | null
  readonly providers: ReadonlyArray<{
    readonly provider: string
    readonly share_before: number
    readonly share_after: number
  }>
  readonly unrecorded_endpoints: ReadonlyArray<string>
}

export interface TrafficListControlsOutput {
  readonly data: ReadonlyArray<Traffic>
}

export interface TrafficPreviewControlInput {
  readonly kind: "endpoint" | "provider"
  /** The id of an endpoint, such as `acme/model@acme`, or the slug of a provider. */
  readonly id: string
  /** Default: `active`. */
  readonly state?: "active" | "drained" | "disabled"
  /** From 0 to 1. Default: 1. */
  readonly weight?: number
  /** Minutes of recorded traffic. */
  readonly minutes?: number
}

export interface TrafficPreviewControlOutput {
  readonly data: TrafficControl
}

export interface TrafficSetControlInput {
  readonly kind: "endpoint" | "provider"
  readonly id: string
  readonly state?: "active" | "drained" | "disabled"
  readonly weight?: number
  readonly reason?: string | null
  readonly version?: number
}

export interface TrafficSetControlOutput {
  readonly data: Traffic
}

/** Traffic. */
export const traffic = (connection: Connection) => ({
  /** List the traffic controls, with those that are active again. */
  listControls: (options?: CallOptions): Promise<TrafficListControlsOutput> =>
    connection.call("GET /api/v1/signalbox/traffic-controls", undefined, options),
  /** Preview what a traffic control would have done with recent traffic, without setting it: which models would have no endpoint, and what the other requests would have cost and how long they would have taken. Recorded requests of all accounts, at most 2,000, are routed again on a virtual clock, with the control and without it. */
  previewControl: (
    input: TrafficPreviewControlInput,
    options?: CallOptions
  ): Promise<TrafficPreviewControlOutput> =>
    connection.call("GET /api/v1/signalbox/traffic-controls/preview", input, options),
  /** Drain or disable an endpoint or a provider, change its weight, or put it back into service. It holds in every process on the store within a second, and survives restarts. */
  setControl: (
    input: TrafficSetControlInput,
    options?: CallOptions
  ): Promise<TrafficSetControlOutput> =>
    connection.call("PUT /api/v1/signalbox/traffic-controls", input, options)
})
