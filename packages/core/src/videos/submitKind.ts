/** The step that takes a video job to an upstream. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Offered } from "../jobs/DurableJobs.ts"
import * as JobKind from "../jobs/JobKind.ts"
import { putOffMillis } from "../jobs/putOffMillis.ts"
import { Settings } from "../Settings.ts"
import { VideoJobId } from "./VideoJobId.ts"

const SubmitStep = Schema.Struct({
  id: VideoJobId,
  /** How often there was no room at its provider; absent: never. */
  put_off: Schema.optionalKey(Schema.Int),
  /** How often earlier steps have tried it; absent: never. */
  tried: Schema.optionalKey(Schema.Int)
})
type SubmitStep = typeof SubmitStep.Type

export const submitKind = Effect.map(Settings, ({ totalDeadlineMillis }) =>
  JobKind.make({
    name: "video.submit",
    payload: SubmitStep,
    concurrency: submitConcurrency,
    deadlineMillis: totalDeadlineMillis + forStores
  })
)

/** How many submits one process makes at once. */
export const submitConcurrency = 8

/** Milliseconds to read and write what is kept. */
const forStores = 15_000

export const submitStep = (id: VideoJobId): Offered<SubmitStep> => ({
  id,
  key: `${id}-submit`,
  payload: { id }
})

/** The same once more, after there was no room; `random` is from 0 up to 1. */
export const putOffStep = (
  { id, put_off, tried }: Required<SubmitStep>,
  random: number
): Offered<SubmitStep> => ({
  id,
  key: `${id}-submit-${put_off}`,
  payload: { id, put_off, tried },
  delay: putOffMillis(put_off, random)
})
