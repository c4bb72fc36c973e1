/** The step that takes a video job to an upstream. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { JobStep } from "../../jobs/DurableJobs.ts"
import * as JobKind from "../../jobs/JobKind.ts"
import { deferMillis } from "../../jobs/deferMillis.ts"
import { Settings } from "../../Settings.ts"
import { VideoJobId } from "../VideoJobId.ts"

const SubmitStep = Schema.Struct({
  id: VideoJobId,
  /** How often there was no room at its provider; absent: never. */
  deferrals: Schema.optionalKey(Schema.Int),
  /** How often earlier steps have tried it; absent: never. */
  previousAttempts: Schema.optionalKey(Schema.Int)
})
type SubmitStep = typeof SubmitStep.Type

export const makeSubmitJobKind = Effect.map(Settings, ({ totalTimeoutMillis }) =>
  JobKind.make({
    name: "video.submit",
    payload: SubmitStep,
    concurrency: submitConcurrency,
    timeoutMillis: totalTimeoutMillis + storeMarginMillis
  })
)

/** How many submits one process makes at once. */
export const submitConcurrency = 8

/** Milliseconds to read and write what is kept. */
const storeMarginMillis = 15_000

export const toSubmitStep = (id: VideoJobId): JobStep<SubmitStep> => ({
  id,
  key: `${id}-submit`,
  payload: { id }
})

/** The same once more, after there was no room; `random` is from 0 up to 1. */
export const toDeferredSubmitStep = (
  { id, deferrals, previousAttempts }: Required<SubmitStep>,
  random: number
): JobStep<SubmitStep> => ({
  id,
  key: `${id}-submit-${deferrals}`,
  payload: { id, deferrals, previousAttempts },
  delay: deferMillis(deferrals, random)
})
