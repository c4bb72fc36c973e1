/** What a candidate is for one video: what that costs there, and that it leaves something behind. */
import type { Configuration } from "../../catalog/Configuration.ts"
import type { Model } from "../../catalog/Model.ts"
import * as Price from "../../catalog/Price.ts"
import * as VideoCapabilities from "../../catalog/VideoCapabilities.ts"
import type { Candidate } from "../../routing/Candidate.ts"
import { hasAudio } from "../request/hasAudio.ts"
import { UpstreamDefect } from "../../upstreams/failures/UpstreamDefect.ts"
import type { VideoUsage } from "../../values/usage/VideoUsage.ts"
import { type VideoCallInput, toVideoCall } from "../submit/toVideoCall.ts"
import { type BillableUsage, priceVideo, resolveSkus } from "./priceVideo.ts"

/** What a provider's own code cannot say has an unknown price there; `broke` is told why. */
export const priceCandidate =
  (
    wanted: VideoCallInput,
    model: Model,
    { upstreams }: Pick<Configuration, "upstreams">,
    onDefect: (defect: UpstreamDefect) => void
  ) =>
  (candidate: Candidate): Candidate => {
    const { endpoint } = candidate
    let isKnown = true
    const atMost = estimateMaxUsage(wanted, candidate, model, { upstreams }, (defect) => {
      isKnown = false
      onDefect(defect)
    })
    const skus = resolveSkus(endpoint, model.video ?? VideoCapabilities.unknownCapabilities)
    const usd = isKnown ? priceVideo(skus, atMost) : undefined
    // Source: semantics B: zero data retention is not to be had for videos.
    return { ...candidate, price: Price.makeTotal(usd), retains: true }
  }

/** The most that is made of it there, in what it is sold by: one video, where its provider's own code breaks. */
export const estimateMaxUsage = (
  wanted: VideoCallInput,
  { endpoint }: Pick<Candidate, "endpoint">,
  { video }: Model,
  { upstreams }: Pick<Configuration, "upstreams">,
  onDefect: (defect: UpstreamDefect) => void
): BillableUsage => {
  const { supported_durations = null } = video ?? {}
  const { resolution } = wanted.dimensions
  const capability = upstreams.get(endpoint.provider)?.videos
  let usage: VideoUsage = { videos: 1 }
  try {
    usage =
      capability?.estimateWorstCase(toVideoCall(wanted, { endpoint, capabilities: video })) ?? usage
  } catch (defect) {
    if (!(defect instanceof UpstreamDefect)) throw defect
    onDefect(defect)
  }
  const longestOne = findLongest(supported_durations)
  const seconds =
    usage.seconds ?? (longestOne === undefined ? undefined : longestOne * usage.videos)
  return {
    ...usage,
    ...(seconds === undefined ? undefined : { seconds }),
    ...(resolution === undefined ? undefined : { resolution }),
    hasAudio: hasAudio(wanted.request, video)
  }
}

const findLongest = (durations: ReadonlyArray<number> | null): number | undefined =>
  durations === null || durations.length === 0 ? undefined : Math.max(...durations)
