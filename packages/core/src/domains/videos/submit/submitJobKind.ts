/** The step that submits a video job to an upstream. */
import * as Schema from "effect/Schema"
import type { JobStep } from "../../../engine/jobs/DurableJobs.ts"
import * as JobKind from "../../../engine/jobs/JobKind.ts"
import { deferMillis } from "../../../engine/jobs/deferMillis.ts"
import type { SettingsShape } from "../../../instance/Settings.ts"
import { VideoJobId } from "../VideoJobId.ts"

const SubmitStep = Schema.Struct({
  id: VideoJobId,
  /** How often the step was deferred because the bulkhead of its provider was full; default 0. */
  deferrals: Schema.optionalKey(Schema.Int),
  /** Attempts of the steps before it was deferred; default 0. */
  previousAttempts: Schema.optionalKey(Schema.Int)
})
type SubmitStep = typeof SubmitStep.Type

export const makeSubmitJobKind = ({
  totalTimeoutMillis
}: Pick<SettingsShape, "totalTimeoutMillis">) =>
  JobKind.make({
    name: "video.submit",
    payload: SubmitStep,
    concurrency: submitConcurrency,
    timeoutMillis: totalTimeoutMillis + storeMarginMillis
  })

/** Submits one process makes at the same time. */
export const submitConcurrency = 8

/** Milliseconds for reads and writes of the store. */
const storeMarginMillis = 15_000

export const toSubmitStep = (id: VideoJobId): JobStep<SubmitStep> => ({
  id,
  key: `${id}-submit`,
  payload: { id }
})

/** The same step, deferred because the bulkhead was full; `random` is in [0, 1). */
export const toDeferredSubmitStep = (
  { id, deferrals, previousAttempts }: Required<SubmitStep>,
  random: number
): JobStep<SubmitStep> => ({
  id,
  key: `${id}-submit-${deferrals}`,
  payload: { id, deferrals, previousAttempts },
  delay: deferMillis(deferrals, random)
})
