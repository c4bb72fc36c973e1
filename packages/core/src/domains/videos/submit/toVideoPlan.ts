/** The plan of a job, as recorded in its generation. */
import type { Configuration } from "../../../engine/catalog/Configuration.ts"
import type { Model } from "../../../engine/catalog/model/Model.ts"
import type { GenerationReason } from "../../../engine/observability/generations/Generation.ts"
import { truncateReason } from "../../../engine/observability/generations/truncateGeneration.ts"
import type { VideoCapability } from "../../../engine/upstreams/VideoCapability.ts"
import type { UpstreamDefect } from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import { toCandidateId } from "../../../routing/Candidate.ts"
import type { PlannedRoute, RouteQuery } from "../../../routing/RouteQuery.ts"
import { toGenerationReasons } from "../../../routing/record/toGenerationAttempt.ts"
import {
  toGenerationConstraints,
  toGenerationLimits
} from "../../../routing/record/toGenerationBounds.ts"
import type { Caller } from "../../../tenants/auth/Caller.ts"
import type { VideoPlan } from "../VideoJob.ts"
import { priceCandidate } from "../pricing/priceCandidate.ts"
import type { VideoRequest } from "../request/VideoRequest.ts"
import type { VideoCallInput } from "./toVideoCall.ts"

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

/** The routing query of a job, for its acceptance and its submit. */
export const toRoutingQuery = (
  caller: Caller,
  wanted: VideoCallInput,
  model: Model,
  configuration: Configuration,
  onDefect: (defect: UpstreamDefect) => void
): RouteQuery<VideoCapability> => {
  const { options: _, ...preferences }: ProviderPreferences = wanted.request.provider ?? {}
  return {
    caller,
    models: [wanted.request.model],
    operation: "videos",
    capability: ({ videos }) => videos,
    priceCandidate: priceCandidate(wanted, model, configuration, onDefect),
    preferences,
    ...(wanted.request.user === undefined ? undefined : { externalUser: wanted.request.user }),
    requirements: { parameters: [], inputTokens: 0, outputTokens: 0 }
  }
}

type ProviderPreferences = NonNullable<VideoRequest["provider"]>
