/** The step that makes one attempt at a delivery. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Offered } from "../jobs/DurableJobs.ts"
import * as JobKind from "../jobs/JobKind.ts"
import { putOffMillis } from "../jobs/putOffMillis.ts"
import { Settings } from "../Settings.ts"
import type { Delivery } from "./Delivery.ts"

const DeliveryStep = Schema.Struct({
  id: Schema.String,
  /** The turn of the delivery it was offered in. */
  turn: Schema.Int,
  /** How often its receiver had no room. */
  put_off: Schema.Int
})
type DeliveryStep = typeof DeliveryStep.Type

/** An attempt that fails is a step that succeeds: what the queue tries again is what broke here. */
export const deliveryKind = Effect.map(Settings, ({ webhookConcurrency, webhookDeadlineMillis }) =>
  JobKind.make({
    name: "webhook.delivery",
    payload: DeliveryStep,
    concurrency: webhookConcurrency,
    deadlineMillis: webhookDeadlineMillis + forStores
  })
)

/** Milliseconds to read and write what is kept. */
const forStores = 15_000

/** The attempt a delivery waits for; `now` in milliseconds since the epoch. */
export const attemptStep = (
  { id, nextAttemptAt = 0, turn }: Delivery,
  now: number
): Offered<DeliveryStep> => ({
  id,
  key: `${id}-${turn}-0`,
  payload: { id, turn, put_off: 0 },
  delay: Math.max(0, nextAttemptAt - now)
})

/** The same once more, `times` times after its receiver had no room; `random` is from 0 up to 1. */
export const putOffStep = (
  { id, turn }: Delivery,
  times: number,
  random: number
): Offered<DeliveryStep> => ({
  id,
  key: `${id}-${turn}-${times}`,
  payload: { id, turn, put_off: times },
  delay: putOffMillis(times, random)
})
