/** The job step that makes one attempt at a delivery. */
import * as Schema from "effect/Schema"
import type { JobStep } from "../../engine/jobs/DurableJobs.ts"
import * as JobKind from "../../engine/jobs/JobKind.ts"
import { deferMillis } from "../../engine/jobs/deferMillis.ts"
import type { SettingsShape } from "../../instance/Settings.ts"
import type { Delivery } from "./Delivery.ts"

const DeliveryStep = Schema.Struct({
  id: Schema.String,
  /** The version of the delivery when the step was offered. */
  version: Schema.Int,
  /** How often the step was deferred because the bulkhead of its receiver was full. */
  deferrals: Schema.Int
})
type DeliveryStep = typeof DeliveryStep.Type

/** A failed attempt is a successful step with its own schedule; the queue retries only failures of this process. */
export const makeDeliveryJobKind = ({
  webhookConcurrency,
  webhookTimeoutMillis
}: Pick<SettingsShape, "webhookConcurrency" | "webhookTimeoutMillis">) =>
  JobKind.make({
    name: "webhook.delivery",
    payload: DeliveryStep,
    concurrency: webhookConcurrency,
    timeoutMillis: webhookTimeoutMillis + storeMarginMillis
  })

/** Milliseconds for reads and writes of the store. */
const storeMarginMillis = 15_000

/** The next attempt of a delivery; `now` is in milliseconds since the epoch. */
export const makeAttemptStep = (
  { id, nextAttemptAt = 0, version }: Delivery,
  now: number
): JobStep<DeliveryStep> => ({
  id,
  key: `${id}-${version}-0`,
  payload: { id, version, deferrals: 0 },
  delay: Math.max(0, nextAttemptAt - now)
})

/** The same attempt after `deferrals` deferrals; `random` is in [0, 1). */
export const makeDeferredStep = (
  { id, version }: Delivery,
  deferrals: number,
  random: number
): JobStep<DeliveryStep> => ({
  id,
  key: `${id}-${version}-${deferrals}`,
  payload: { id, version, deferrals },
  delay: deferMillis(deferrals, random)
})
