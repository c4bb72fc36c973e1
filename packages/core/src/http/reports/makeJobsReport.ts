/** How it stands with the jobs, for reports that must not fail with their store. */
import * as Effect from "effect/Effect"
import { DurableJobs, type JobReport } from "../../jobs/DurableJobs.ts"

/** Null when the store cannot be asked. */
export const makeJobsReport = Effect.map(DurableJobs, ({ listReports }) =>
  Effect.catchCause(listReports, (cause) =>
    Effect.as(Effect.logError("the jobs cannot be counted", cause), null)
  ).pipe(Effect.map((jobs): ReadonlyArray<JobReport> | null => jobs))
)
