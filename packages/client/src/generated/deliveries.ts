/** Deliveries: the operations of the group `deliveries`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Delivery {
  readonly id: string
  readonly workspace_id: string
  readonly type: string
  readonly url: string
  readonly state: "pending" | "delivered" | "failed" | "disabled"
  readonly created_at: string
  readonly next_attempt_at: string | null
  readonly ended_at: string | null
  readonly last_attempt: DeliveryLastAttempt | null
}

export interface DeliveryLastAttempt {
  readonly at: string
  readonly duration_ms: number
  readonly status: number | null
  readonly error:
    | "unsafe_address"
    | "not_public"
    | "unresolved"
    | "unreachable"
    | "timeout"
    | "secret_unreadable"
    | "workspace_deleted"
    | "internal"
    | null
}

export interface DeliveryGet {
  readonly id: string
  readonly workspace_id: string
  readonly type: string
  readonly url: string
  readonly state: "pending" | "delivered" | "failed" | "disabled"
  readonly created_at: string
  readonly next_attempt_at: string | null
  readonly ended_at: string | null
  readonly last_attempt: DeliveryLastAttempt | null
  readonly attempts: ReadonlyArray<DeliveryLastAttempt>
  readonly body: string
}

export interface DeliveriesListInput {
  /** The `next_cursor` of the previous page. */
  readonly starting_after?: string
  /** Number of items to return. */
  readonly limit?: number
  /** Id or slug of a workspace. Default: all workspaces. */
  readonly workspace_id?: string
  /** State of the deliveries. Default: any. */
  readonly state?: "pending" | "delivered" | "failed" | "disabled"
}

export interface DeliveriesListPage {
  readonly data: ReadonlyArray<Delivery>
  readonly has_more: boolean
  readonly next_cursor?: string
}

export interface DeliveriesGetInput {
  readonly id: string
}

export interface DeliveriesGetOutput {
  readonly data: DeliveryGet
}

export interface DeliveriesRedeliverInput {
  readonly id: string
}

export interface DeliveriesRedeliverOutput {
  readonly data: DeliveryGet
}

/** Deliveries. */
export const deliveries = (connection: Connection) => ({
  /** List webhook deliveries, newest first. */
  list: (input?: DeliveriesListInput, options?: CallOptions): Paged<DeliveriesListPage, Delivery> =>
    connection.list<Delivery, DeliveriesListPage>(
      "GET /api/v1/signalbox/deliveries",
      input,
      options
    ),
  /** Get a webhook delivery with its attempts. */
  get: (input: DeliveriesGetInput, options?: CallOptions): Promise<DeliveriesGetOutput> =>
    connection.call("GET /api/v1/signalbox/deliveries/:id", input, options),
  /** Redeliver an event immediately, with a new retry schedule. */
  redeliver: (
    input: DeliveriesRedeliverInput,
    options?: CallOptions
  ): Promise<DeliveriesRedeliverOutput> =>
    connection.call("POST /api/v1/signalbox/deliveries/:id/redeliver", input, options)
})
