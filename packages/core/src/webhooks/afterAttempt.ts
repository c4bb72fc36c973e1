/** What becomes of a delivery after an attempt. Source: semantics E. */
import * as Struct from "effect/Struct"
import type { SettingsShape } from "../Settings.ts"
import { type Delivery, type DeliveryAttempt, mostAttempts } from "./Delivery.ts"

/** An attempt, and what the receiver asked for. */
export interface Outcome extends DeliveryAttempt {
  readonly retryAfterMillis?: number
}

export type DeliveryRules = Pick<
  SettingsShape,
  "maxWebhookRetryAfterMillis" | "webhookRetryMillis" | "webhookSlowDownMillis"
>

/** `random` is from 0 up to 1; the next attempt is counted from when this one ended. */
export const afterAttempt = (
  delivery: Delivery,
  { retryAfterMillis, ...attempt }: Outcome,
  random: number,
  rules: DeliveryRules
): Delivery => {
  const now = attempt.at + attempt.durationMillis
  const isTaken = succeeded(attempt)
  const failures = isTaken ? delivery.failures : delivery.failures + 1
  const after = {
    ...Struct.omit(delivery, ["endedAt", "nextAttemptAt"]),
    turn: delivery.turn + 1,
    failures,
    attempts: [...delivery.attempts, attempt].slice(-mostAttempts)
  }
  if (isTaken) return { ...after, state: "delivered", endedAt: now }
  if (attempt.status === 410) return { ...after, state: "disabled", endedAt: now }
  const delay = rules.webhookRetryMillis[failures - 1]
  if (delay === undefined || isHopeless(attempt)) return { ...after, state: "failed", endedAt: now }
  const wait = Math.max(
    Math.round(delay * (0.8 + 0.4 * random)),
    asksForLess(attempt) ? rules.webhookSlowDownMillis : 0,
    Math.min(retryAfterMillis ?? 0, rules.maxWebhookRetryAfterMillis)
  )
  return { ...after, state: "pending", nextAttemptAt: now + wait }
}

const succeeded = ({ status = 0 }: DeliveryAttempt): boolean => status >= 200 && status <= 299

/** Time changes neither the address nor that the workspace is gone. */
const isHopeless = ({ error }: DeliveryAttempt): boolean =>
  error === "unsafe_address" || error === "workspace_deleted"

/** Overloaded, or behind a gateway that cannot reach it. Source: Standard Webhooks. */
const asksForLess = ({ status }: DeliveryAttempt): boolean =>
  status === 429 || status === 502 || status === 504

/** Whether the receiver answers as one should that is sent more. */
export const isWell = (attempt: DeliveryAttempt): boolean =>
  attempt.status !== undefined && !asksForLess(attempt)
