/** An event for one receiver, and its attempts. */
import type { AccountId } from "../values/ids/AccountId.ts"

/** `disabled`: the receiver answered 410. `failed`: the schedule is exhausted, or retries are of no use. */
export const deliveryStates = ["pending", "delivered", "failed", "disabled"] as const
/** Where a delivery is in its lifecycle. */
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * Why an attempt has no response. `unsafe_address`: the URL is not allowed for callbacks. `not_public`: the name
 * resolves to a private address. `unresolved`: the name does not resolve. `secret_unreadable`: a signing secret
 * cannot be unsealed, and the event must not be sent unsigned. `internal`: a fault of this service.
 */
export const deliveryErrors = [
  "unsafe_address",
  "not_public",
  "unresolved",
  "unreachable",
  "timeout",
  "secret_unreadable",
  "workspace_deleted",
  "internal"
] as const
/** Why an attempt has no response. */
export type DeliveryError = (typeof deliveryErrors)[number]

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  /** When it began, in milliseconds since the epoch. */
  readonly at: number
  readonly durationMillis: number
  /** The status of the response; its body is not read. */
  readonly status?: number
  /** Absent when there was a response. */
  readonly error?: DeliveryError
}

/** An event for one receiver. */
export interface Delivery {
  /** The id of the event, sent as `webhook-id`, the same in every attempt. */
  readonly id: string
  readonly account: AccountId
  readonly workspace: string
  readonly type: string
  readonly url: string
  /** The URL is from the workspace, not from the event. */
  readonly isWorkspaceUrl: boolean
  /** JSON, byte for byte the same in every attempt. */
  readonly body: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly state: DeliveryState
  /** Optimistic-lock version; outcomes of attempts at an earlier version are dropped. */
  readonly version: number
  /** Failed attempts since the schedule began. */
  readonly failures: number
  /** Milliseconds since the epoch; present while pending. */
  readonly nextAttemptAt?: number
  /** Milliseconds since the epoch; absent while pending. */
  readonly endedAt?: number
  /** The latest `maxStoredAttempts`, oldest first. */
  readonly attempts: ReadonlyArray<DeliveryAttempt>
}

/** Enough for five full schedules; bounds a delivery that is redelivered often. */
export const maxStoredAttempts = 50
