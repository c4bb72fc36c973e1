/** What a candidate is for one video: what that costs there, and that it leaves something behind. */
import type { Configuration } from "../catalog/Configuration.ts"
import type { Model } from "../catalog/Model.ts"
import * as Price from "../catalog/Price.ts"
import * as VideoCapabilities from "../catalog/VideoCapabilities.ts"
import type { Candidate } from "../routing/Candidate.ts"
import { generatesAudio } from "./generatesAudio.ts"
import { type Wanted, videoCall } from "./videoCall.ts"
import { type Made, videoPrice, skusOf } from "./videoPrice.ts"

export const fittedTo =
  (wanted: Wanted, model: Model, { upstreams }: Pick<Configuration, "upstreams">) =>
  (candidate: Candidate): Candidate => {
    const { endpoint } = candidate
    const atMost = madeAtMost(wanted, candidate, model, { upstreams })
    const skus = skusOf(endpoint, model.video ?? VideoCapabilities.unknown)
    // Source: semantics B: zero data retention is not to be had for videos.
    return { ...candidate, price: Price.whole(videoPrice(skus, atMost)), retains: true }
  }

/** The most that is made of it there, in what it is sold by. */
export const madeAtMost = (
  wanted: Wanted,
  { endpoint }: Pick<Candidate, "endpoint">,
  { video }: Model,
  { upstreams }: Pick<Configuration, "upstreams">
): Made => {
  const { supported_durations = null } = video ?? {}
  const { resolution } = wanted.dimensions
  const used = upstreams
    .get(endpoint.provider)
    ?.videos?.worstCase(videoCall(wanted, { endpoint, capabilities: video })) ?? { videos: 1 }
  const seconds = used.seconds ?? longest(supported_durations)
  return {
    ...used,
    ...(seconds === undefined ? undefined : { seconds }),
    ...(resolution === undefined ? undefined : { resolution }),
    hasAudio: generatesAudio(wanted.request, video)
  }
}

const longest = (durations: ReadonlyArray<number> | null): number | undefined =>
  durations === null || durations.length === 0 ? undefined : Math.max(...durations)
