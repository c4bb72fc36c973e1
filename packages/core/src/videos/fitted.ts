/** What a candidate is for one video: what that costs there, and that it leaves something behind. */
import type { Configuration } from "../catalog/Configuration.ts"
import type { Model } from "../catalog/Model.ts"
import * as Price from "../catalog/Price.ts"
import * as VideoCapabilities from "../catalog/VideoCapabilities.ts"
import type { Candidate } from "../routing/Candidate.ts"
import { generatesAudio } from "./generatesAudio.ts"
import { UpstreamDefect } from "../upstreams/UpstreamDefect.ts"
import type { VideoUsage } from "../values/VideoUsage.ts"
import { type Wanted, videoCall } from "./videoCall.ts"
import { type Made, videoPrice, skusOf } from "./videoPrice.ts"

/** What a provider's own code cannot say has an unknown price there; `broke` is told why. */
export const fittedTo =
  (
    wanted: Wanted,
    model: Model,
    { upstreams }: Pick<Configuration, "upstreams">,
    broke: (defect: UpstreamDefect) => void
  ) =>
  (candidate: Candidate): Candidate => {
    const { endpoint } = candidate
    let isKnown = true
    const atMost = madeAtMost(wanted, candidate, model, { upstreams }, (defect) => {
      isKnown = false
      broke(defect)
    })
    const skus = skusOf(endpoint, model.video ?? VideoCapabilities.unknown)
    const usd = isKnown ? videoPrice(skus, atMost) : undefined
    // Source: semantics B: zero data retention is not to be had for videos.
    return { ...candidate, price: Price.whole(usd), retains: true }
  }

/** The most that is made of it there, in what it is sold by: one video, where its provider's own code breaks. */
export const madeAtMost = (
  wanted: Wanted,
  { endpoint }: Pick<Candidate, "endpoint">,
  { video }: Model,
  { upstreams }: Pick<Configuration, "upstreams">,
  broke: (defect: UpstreamDefect) => void
): Made => {
  const { supported_durations = null } = video ?? {}
  const { resolution } = wanted.dimensions
  const capability = upstreams.get(endpoint.provider)?.videos
  let used: VideoUsage = { videos: 1 }
  try {
    used = capability?.worstCase(videoCall(wanted, { endpoint, capabilities: video })) ?? used
  } catch (defect) {
    if (!(defect instanceof UpstreamDefect)) throw defect
    broke(defect)
  }
  const longestOne = longest(supported_durations)
  const seconds = used.seconds ?? (longestOne === undefined ? undefined : longestOne * used.videos)
  return {
    ...used,
    ...(seconds === undefined ? undefined : { seconds }),
    ...(resolution === undefined ? undefined : { resolution }),
    hasAudio: generatesAudio(wanted.request, video)
  }
}

const longest = (durations: ReadonlyArray<number> | null): number | undefined =>
  durations === null || durations.length === 0 ? undefined : Math.max(...durations)
