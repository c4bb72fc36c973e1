/** The job step that passes an alert to the host. */
import * as Schema from "effect/Schema"
import * as JobKind from "../../engine/jobs/JobKind.ts"

/** A function of the host gets a few tries: it may be down for as long as its pager. */
export const alertStepKind = JobKind.make({
  name: "alert.notify",
  payload: Schema.Struct({ id: Schema.String }),
  maxAttempts: 8
})
