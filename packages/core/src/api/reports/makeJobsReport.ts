/** Reports durable jobs by kind, without failing when the store does. */
import * as Effect from "effect/Effect"
import { DurableJobs, type JobReport } from "../../engine/jobs/DurableJobs.ts"

/** Null if the store is unavailable. */
export const makeJobsReport = Effect.map(DurableJobs, ({ listReports }) =>
  Effect.catchCause(listReports, (cause) =>
    Effect.as(Effect.logError("cannot read the job counts from the store", cause), null)
  ).pipe(Effect.map((jobs): ReadonlyArray<JobReport> | null => jobs))
)
