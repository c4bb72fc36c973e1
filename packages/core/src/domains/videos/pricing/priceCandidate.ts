/** The price of one video at a candidate, and its data retention. */
import type { Configuration } from "../../../engine/catalog/Configuration.ts"
import type { Model } from "../../../engine/catalog/model/Model.ts"
import * as Price from "../../../engine/catalog/endpoint/Price.ts"
import * as VideoCapabilities from "../../../engine/catalog/model/VideoCapabilities.ts"
import type { Candidate } from "../../../routing/Candidate.ts"
import { hasAudio } from "../request/VideoRequest.ts"
import { UpstreamDefect } from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import type { VideoUsage } from "../../../values/usage/ModelUsage.ts"
import { findLongest, toVideoCall, type VideoCallInput } from "../submit/toVideoCall.ts"
import { type BillableUsage, priceVideo, resolveSkus } from "./priceVideo.ts"

/** A defect in the provider's code makes the price unknown, and is passed to `onDefect`. */
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
    // `retains`: video candidates never count as having zero data retention.
    return { ...candidate, price: Price.makeTotal(usd), retains: true }
  }

/** The maximum billable usage; one video when the provider's code has a defect. */
export const estimateMaxUsage = (
  wanted: VideoCallInput,
  { endpoint }: Pick<Candidate, "endpoint">,
  { video }: Model,
  { upstreams }: Pick<Configuration, "upstreams">,
  onDefect: (defect: UpstreamDefect) => void
): BillableUsage => {
  const capability = upstreams.get(endpoint.provider)?.videos
  const call = toVideoCall(wanted, { endpoint, capabilities: video })
  let usage: VideoUsage = { videos: 1 }
  try {
    usage = capability?.estimateWorstCase(call) ?? usage
  } catch (defect) {
    if (!(defect instanceof UpstreamDefect)) throw defect
    onDefect(defect)
  }
  const longestOne = wanted.continued?.seconds ?? findLongest(video?.supported_durations)
  const seconds = usage.seconds ?? (longestOne && longestOne * usage.videos)
  const resolution = usage.resolution ?? call.resolution ?? wanted.continued?.resolution
  const fixedAudio = capability?.hasFixedAudio ? video?.generate_audio : undefined
  return {
    ...usage,
    ...omitUndefined({ seconds, resolution }),
    hasAudio: fixedAudio ?? hasAudio(wanted.request, video)
  }
}
