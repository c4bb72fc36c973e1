/** How a job is routed, when it is accepted and when it is submitted. */
import type { Caller } from "../auth/Caller.ts"
import type { Configuration } from "../catalog/Configuration.ts"
import type { Model } from "../catalog/Model.ts"
import type { Query } from "../routing/Query.ts"
import type { UpstreamDefect } from "../upstreams/UpstreamDefect.ts"
import type { VideoCapability } from "../upstreams/VideoCapability.ts"
import { fittedTo } from "./fitted.ts"
import type { Wanted } from "./videoCall.ts"
import type { VideoRequest } from "./VideoRequest.ts"

export const queryOf = (
  caller: Caller,
  wanted: Wanted,
  model: Model,
  configuration: Configuration,
  broke: (defect: UpstreamDefect) => void
): Query<VideoCapability> => {
  const { options: _, ...preferences }: Provider = wanted.request.provider ?? {}
  return {
    caller,
    models: [wanted.request.model],
    operation: "videos",
    capability: ({ videos }) => videos,
    fitted: fittedTo(wanted, model, configuration, broke),
    preferences,
    demand: { parameters: [], inputTokens: 0, outputTokens: 0 }
  }
}

type Provider = NonNullable<VideoRequest["provider"]>
