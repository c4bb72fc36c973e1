/** The plan of a job, as recorded in its generation. */
import type { GenerationReason } from "../../../engine/observability/generations/Generation.ts"
import { truncateReason } from "../../../engine/observability/generations/truncateGeneration.ts"
import { toCandidateId } from "../../../routing/Candidate.ts"
import type { PlannedRoute } from "../../../routing/RouteQuery.ts"
import {
  toGenerationConstraints,
  toGenerationLimits
} from "../../../routing/record/toGenerationBounds.ts"
import { toGenerationReasons } from "../../../routing/record/toGenerationAttempt.ts"
import type { VideoPlan } from "../VideoJob.ts"

/**
 * A job is planned at its acceptance and again at its submit. The second plan covers the accepted candidates
 * only; reasons about other candidates come from the first.
 */
export const toVideoPlan = (
  { configuration, constraints, limits, plan }: PlannedRoute,
  before?: { readonly plan: VideoPlan | undefined; readonly among: ReadonlySet<string> }
): VideoPlan => {
  const isUnchanged = ({ credential, endpoint }: GenerationReason) =>
    before?.among.has(toCandidateId(endpoint, credential)) === false
  const { demoted = [], rejected = [] } = before?.plan ?? {}
  const applied = toGenerationConstraints(constraints)
  const counted = toGenerationLimits(limits)
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
    ],
    ...(applied.length === 0 ? undefined : { constraints: applied }),
    ...(counted.length === 0 ? undefined : { limits: counted })
  }
}
