/** An event for one receiver, and its attempts. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { SettingsShape } from "../../instance/Settings.ts"
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

/** An attempt, and the Retry-After of its response. */
export interface AttemptOutcome extends DeliveryAttempt {
  readonly retryAfterMillis?: number
}

type DeliveryRetryPolicy = Pick<
  SettingsShape,
  "maxWebhookRetryAfterMillis" | "webhookRetryMillis" | "webhookOverloadBackoffMillis"
>

/**
 * Applies the outcome of an attempt to a delivery: the next state, and when to retry. `random` is in [0, 1); the
 * delay starts at the end of the attempt.
 */
export const applyAttempt = (
  delivery: Delivery,
  { retryAfterMillis, ...attempt }: AttemptOutcome,
  random: number,
  policy: DeliveryRetryPolicy
): Delivery => {
  const now = attempt.at + attempt.durationMillis
  const isDelivered = isSuccess(attempt)
  const failures = isDelivered ? delivery.failures : delivery.failures + 1
  const after: Omit<Delivery, "state"> = {
    ...Struct.omit(delivery, ["endedAt", "nextAttemptAt"]),
    version: delivery.version + 1,
    failures,
    attempts: [...delivery.attempts, attempt].slice(-maxStoredAttempts)
  }
  if (isDelivered) return { ...after, state: "delivered", endedAt: now }
  if (attempt.status === 410) return { ...after, state: "disabled", endedAt: now }
  const delay = policy.webhookRetryMillis[failures - 1]
  if (delay === undefined || isPermanent(attempt))
    return { ...after, state: "failed", endedAt: now }
  const wait = Math.max(
    Math.round(delay * (0.8 + 0.4 * random)),
    isOverloaded(attempt) ? policy.webhookOverloadBackoffMillis : 0,
    Math.min(retryAfterMillis ?? 0, policy.maxWebhookRetryAfterMillis)
  )
  return { ...after, state: "pending", nextAttemptAt: now + wait }
}

const isSuccess = ({ status = 0 }: DeliveryAttempt): boolean => status >= 200 && status <= 299

/** A retry changes neither the URL nor the deletion of the workspace. */
const isPermanent = ({ error }: DeliveryAttempt): boolean =>
  error === "unsafe_address" || error === "workspace_deleted"

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const isOverloaded = ({ status }: DeliveryAttempt): boolean =>
  status === 429 || status === 502 || status === 504

/** True when the receiver can take more deliveries. */
export const isHealthy = (attempt: DeliveryAttempt): boolean =>
  attempt.status !== undefined && !isOverloaded(attempt)
