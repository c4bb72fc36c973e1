/** Whether and when an event is sent again after an attempt. */
import * as Struct from "effect/Struct"
import type { SettingsShape } from "../../instance/Settings.ts"
import { type Delivery, type DeliveryAttempt, maxStoredAttempts } from "./Delivery.ts"

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
