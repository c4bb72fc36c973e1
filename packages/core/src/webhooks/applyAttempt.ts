/** What becomes of a delivery after an attempt. Source: semantics E. */
import * as Struct from "effect/Struct"
import type { SettingsShape } from "../Settings.ts"
import { type Delivery, type DeliveryAttempt, maxStoredAttempts } from "./Delivery.ts"

/** An attempt, and what the receiver asked for. */
export interface AttemptOutcome extends DeliveryAttempt {
  readonly retryAfterMillis?: number
}

export type DeliveryRetryPolicy = Pick<
  SettingsShape,
  "maxWebhookRetryAfterMillis" | "webhookRetryMillis" | "webhookOverloadBackoffMillis"
>

/** `random` is from 0 up to 1; the next attempt is counted from when this one ended. */
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

/** Time changes neither the address nor that the workspace is gone. */
const isPermanent = ({ error }: DeliveryAttempt): boolean =>
  error === "unsafe_address" || error === "workspace_deleted"

/** Overloaded, or behind a gateway that cannot reach it. Source: Standard Webhooks. */
const isOverloaded = ({ status }: DeliveryAttempt): boolean =>
  status === 429 || status === 502 || status === 504

/** Whether the receiver answers as one should that is sent more. */
export const isHealthy = (attempt: DeliveryAttempt): boolean =>
  attempt.status !== undefined && !isOverloaded(attempt)
