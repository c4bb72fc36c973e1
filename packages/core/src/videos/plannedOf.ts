/** Why a job goes where it goes, as its record is going to say. */
import type { GenerationReason } from "../observability/Generation.ts"
import { clipReason } from "../observability/clipGeneration.ts"
import { idOf } from "../routing/Candidate.ts"
import type { Planned } from "../routing/Query.ts"
import { reasonsOf } from "../routing/recorded.ts"
import type { VideoPlan } from "./VideoJob.ts"

/**
 * A job is planned when it is accepted, and again among those who may get it when it is submitted: what the
 * second plan does not look at is as the first one says.
 */
export const plannedOf = (
  { configuration, plan }: Planned,
  before?: { readonly plan: VideoPlan | undefined; readonly among: ReadonlySet<string> }
): VideoPlan => {
  const isStillSo = ({ credential, endpoint }: GenerationReason) =>
    before?.among.has(idOf(endpoint, credential)) === false
  const { demoted = [], rejected = [] } = before?.plan ?? {}
  return {
    configuration,
    strategy: plan.strategy,
    rejected: [...rejected.filter(isStillSo), ...reasonsOf(plan.rejected).map(clipReason)],
    demoted: [...demoted.filter(isStillSo), ...reasonsOf(plan.demoted).map(clipReason)]
  }
}
