/** The step that makes one attempt at a delivery. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { JobStep } from "../jobs/DurableJobs.ts"
import * as JobKind from "../jobs/JobKind.ts"
import { deferMillis } from "../jobs/deferMillis.ts"
import { Settings } from "../Settings.ts"
import type { Delivery } from "./Delivery.ts"

const DeliveryStep = Schema.Struct({
  id: Schema.String,
  /** The turn of the delivery it was offered in. */
  version: Schema.Int,
  /** How often its receiver had no room. */
  deferrals: Schema.Int
})
type DeliveryStep = typeof DeliveryStep.Type

/** An attempt that fails is a step that succeeds: what the queue tries again is what broke here. */
export const makeDeliveryJobKind = Effect.map(
  Settings,
  ({ webhookConcurrency, webhookTimeoutMillis }) =>
    JobKind.make({
      name: "webhook.delivery",
      payload: DeliveryStep,
      concurrency: webhookConcurrency,
      timeoutMillis: webhookTimeoutMillis + storeMarginMillis
    })
)

/** Milliseconds to read and write what is kept. */
const storeMarginMillis = 15_000

/** The attempt a delivery waits for; `now` in milliseconds since the epoch. */
export const makeAttemptStep = (
  { id, nextAttemptAt = 0, version }: Delivery,
  now: number
): JobStep<DeliveryStep> => ({
  id,
  key: `${id}-${version}-0`,
  payload: { id, version, deferrals: 0 },
  delay: Math.max(0, nextAttemptAt - now)
})

/** The same once more, `times` times after its receiver had no room; `random` is from 0 up to 1. */
export const makeDeferredStep = (
  { id, version }: Delivery,
  times: number,
  random: number
): JobStep<DeliveryStep> => ({
  id,
  key: `${id}-${version}-${times}`,
  payload: { id, version, deferrals: times },
  delay: deferMillis(times, random)
})
