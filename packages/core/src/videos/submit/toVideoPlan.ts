/** Why a job goes where it goes, as its record is going to say. */
import type { GenerationReason } from "../../observability/Generation.ts"
import { truncateReason } from "../../observability/truncateGeneration.ts"
import { toCandidateId } from "../../routing/Candidate.ts"
import type { PlannedRoute } from "../../routing/RouteQuery.ts"
import { toGenerationReasons } from "../../routing/record/toGenerationAttempt.ts"
import type { VideoPlan } from "../VideoJob.ts"

/**
 * A job is planned when it is accepted, and again among those who may get it when it is submitted: what the
 * second plan does not look at is as the first one says.
 */
export const toVideoPlan = (
  { configuration, plan }: PlannedRoute,
  before?: { readonly plan: VideoPlan | undefined; readonly among: ReadonlySet<string> }
): VideoPlan => {
  const isUnchanged = ({ credential, endpoint }: GenerationReason) =>
    before?.among.has(toCandidateId(endpoint, credential)) === false
  const { demoted = [], rejected = [] } = before?.plan ?? {}
  return {
    configuration,
    strategy: plan.strategy,
    rejected: [
      ...rejected.filter(isUnchanged),
      ...toGenerationReasons(plan.rejected).map(truncateReason)
    ],
    demoted: [
      ...demoted.filter(isUnchanged),
      ...toGenerationReasons(plan.demoted).map(truncateReason)
    ]
  }
}
