/** The routing query of a job, for its acceptance and its submit. */
import type { Caller } from "../../../tenants/auth/Caller.ts"
import type { Configuration } from "../../../engine/catalog/Configuration.ts"
import type { Model } from "../../../engine/catalog/model/Model.ts"
import type { RouteQuery } from "../../../routing/RouteQuery.ts"
import type { UpstreamDefect } from "../../../engine/upstreams/failures/UpstreamDefect.ts"
import type { VideoCapability } from "../../../engine/upstreams/VideoCapability.ts"
import { priceCandidate } from "../pricing/priceCandidate.ts"
import type { VideoCallInput } from "./toVideoCall.ts"
import type { VideoRequest } from "../request/VideoRequest.ts"

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
    requirements: { parameters: [], inputTokens: 0, outputTokens: 0 }
  }
}

type ProviderPreferences = NonNullable<VideoRequest["provider"]>
