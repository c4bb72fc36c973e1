/** The step that takes a video job to an upstream. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Offered } from "../jobs/DurableJobs.ts"
import * as JobKind from "../jobs/JobKind.ts"
import { Settings } from "../Settings.ts"
import { VideoJobId } from "./VideoJobId.ts"

const SubmitStep = Schema.Struct({ id: VideoJobId })
type SubmitStep = typeof SubmitStep.Type

export const submitKind = Effect.map(Settings, ({ totalDeadlineMillis }) =>
  JobKind.make({
    name: "video.submit",
    payload: SubmitStep,
    concurrency: 8,
    deadlineMillis: totalDeadlineMillis + forStores
  })
)

/** Milliseconds to read and write what is kept. */
const forStores = 15_000

export const submitStep = (id: VideoJobId): Offered<SubmitStep> => ({
  id,
  key: `${id}-submit`,
  payload: { id }
})
