/** An event for one receiver, and its attempts. */
import * as Schema from "effect/Schema"
import { AccountId } from "../../values/ids/Ids.ts"
import { optionalNumber } from "../../values/schemaFields.ts"

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
export const DeliveryAttempt = Schema.Struct({
  /** When it began, in milliseconds since the epoch. */
  at: Schema.Finite,
  durationMillis: Schema.Finite,
  /** The status of the response; its body is not read. */
  status: optionalNumber,
  /** Absent when there was a response. */
  error: Schema.optionalKey(Schema.Literals(deliveryErrors))
})
export type DeliveryAttempt = typeof DeliveryAttempt.Type

/** An event for one receiver. */
export const Delivery = Schema.Struct({
  /** The id of the event, sent as `webhook-id`, the same in every attempt. */
  id: Schema.String,
  account: AccountId,
  workspace: Schema.String,
  type: Schema.String,
  url: Schema.String,
  /** The URL is from the workspace, not from the event. */
  isWorkspaceUrl: Schema.Boolean,
  /** JSON, byte for byte the same in every attempt. */
  body: Schema.String,
  /** Milliseconds since the epoch. */
  createdAt: Schema.Finite,
  state: Schema.Literals(deliveryStates),
  /** Optimistic-lock version; outcomes of attempts at an earlier version are dropped. */
  version: Schema.Finite,
  /** Failed attempts since the schedule began. */
  failures: Schema.Finite,
  /** Milliseconds since the epoch; present while pending. */
  nextAttemptAt: optionalNumber,
  /** Milliseconds since the epoch; absent while pending. */
  endedAt: optionalNumber,
  /** The latest `maxStoredAttempts`, oldest first. */
  attempts: Schema.Array(DeliveryAttempt)
})
export type Delivery = typeof Delivery.Type

/** Enough for five full schedules; bounds a delivery that is redelivered often. */
export const maxStoredAttempts = 50

/** An event to deliver to the webhook of a workspace. */
export interface WebhookEvent {
  /** The id of an account. */
  readonly account: string
  /** The id of the workspace whose secrets sign. Its URL is used when the event has no URL. */
  readonly workspace: string
  /**
   * `<resource>-<event>`, such as `gen-vid-1-abc-completed`: at most 200 letters, digits, `-` and `_`, unique
   * among the events of all accounts. Receivers use it to drop duplicates.
   */
  readonly id: string
  /** Such as `video.generation.completed`. */
  readonly type: string
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number
  /** Plain JSON without secrets, sent as `data`. */
  readonly data: Readonly<Record<string, unknown>>
  /** Checked by `parseCallbackUrl`; overrides the URL of the workspace. */
  readonly callbackUrl?: string
}
