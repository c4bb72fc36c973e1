/** An event on its way to one receiver, and what became of each attempt. */
import type { AccountId } from "../values/ids/AccountId.ts"

/**
 * `disabled`: the receiver said (410) that it wants no more. `failed`: tried as often as the schedule has
 * it, or there is no use in trying.
 */
export const deliveryStates = ["pending", "delivered", "failed", "disabled"] as const
/** What became of a delivery. */
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * Why there was no answer. `unsafe_address`: no callback may go to such an address. `not_public`: its name
 * leads into a private network. `unresolved`: it leads nowhere. `secret_unreadable`: a signing secret
 * cannot be opened, and nothing goes out unsigned that ought to be signed. `workspace_deleted`: nobody
 * wants it any more. `internal`: a fault of ours.
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
/** Why there was no answer to a delivery. */
export type DeliveryError = (typeof deliveryErrors)[number]

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  /** When it began, in milliseconds since the epoch. */
  readonly at: number
  readonly durationMillis: number
  /** The status of the answer; nothing else of it is read. */
  readonly status?: number
  /** Absent when there was an answer. */
  readonly error?: DeliveryError
}

/** An event on its way to one receiver. */
export interface Delivery {
  /** Of the event; receivers get it as `webhook-id`, the same in every attempt. */
  readonly id: string
  readonly account: AccountId
  readonly workspace: string
  readonly type: string
  readonly url: string
  /** The address is the workspace's, not the event's own. */
  readonly isWorkspaceUrl: boolean
  /** JSON, byte for byte the same in every attempt. */
  readonly body: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly state: DeliveryState
  /** Counts what was decided about it; an attempt of an earlier turn decides nothing any more. */
  readonly version: number
  /** Failed attempts since the schedule began. */
  readonly failures: number
  /** Milliseconds since the epoch; while it is pending. */
  readonly nextAttemptAt?: number
  /** Milliseconds since the epoch; once it is not pending any more. */
  readonly endedAt?: number
  /** The latest `maxRecordedAttempts`, oldest first. */
  readonly attempts: ReadonlyArray<DeliveryAttempt>
}

/** Of five schedules in full: whoever sends again and again fills no store. */
export const maxStoredAttempts = 50
