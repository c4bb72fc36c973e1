/** Builds the generation of a video job. */
import type {
  Generation,
  GenerationAttempt
} from "../../../engine/observability/generations/Generation.ts"
import type { IoContent } from "../../../engine/observability/broadcast/Sink.ts"
import * as Preferences from "../../../routing/Preferences.ts"
import { toGenerationPreferences } from "../../../routing/record/toGenerationPreferences.ts"
import { GenerationId } from "../../../values/ids/GenerationId.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { Bill } from "../pricing/VideoReservations.ts"
import type { VideoJob, VideoPlan } from "../VideoJob.ts"
import type { VideoStatus } from "../VideoStatus.ts"

interface VideoGenerationDetails {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly bill: Bill | undefined
  readonly plan: VideoPlan | undefined
  /** The version of the configuration at the end of the job. */
  readonly configuration: number
}

export const toVideoGeneration = (
  { attempts, ...job }: VideoJob,
  { at, bill, configuration, plan }: VideoGenerationDetails
): Generation => {
  const { request } = job
  const paid = toCost(bill)
  return {
    id: GenerationId.make(job.id),
    account: job.account,
    workspace: job.workspace,
    operation: "videos",
    startedAt: job.createdAt,
    latencyMillis: at - job.createdAt,
    requestedModel: request.model,
    ...(job.assignment === undefined
      ? undefined
      : { model: job.model, provider: job.assignment.providerName }),
    ...(job.assignment?.credential === undefined ? undefined : { isByok: true }),
    ...paid,
    attempts: attempts.map((attempt): GenerationAttempt =>
      attempt.outcome === "served"
        ? { ...attempt, ...paid, ...omitUndefined({ implausible: bill?.implausible }) }
        : attempt
    ),
    configuration,
    rejected: [],
    demoted: [],
    ...plan,
    ...omitUndefined({
      preferences: toGenerationPreferences(request.provider ?? Preferences.none),
      keyHash: job.keyHash,
      user: job.user,
      tags: job.tags,
      requestId: job.requestId,
      filters: job.filters,
      error: errorTags[job.status],
      session: request.session_id,
      externalUser: request.user,
      trace: request.trace
    })
  }
}

/** The request and response for the I/O log. */
export const toLoggedContent = (
  { bytes, request }: Pick<VideoJob, "bytes" | "request">,
  response?: object
): IoContent => {
  const { session_id: _, trace: __, user: ___, ...input } = request
  return { bytes, input, ...omitUndefined({ output: response }) }
}

const toCost = (bill: Bill | undefined) => {
  if (bill === undefined) return undefined
  return bill.isByok ? { cost: NanoUsd.zero, upstreamCost: bill.cost } : { cost: bill.cost }
}

/** Named like the tags of errors. */
const errorTags: Readonly<Partial<Record<VideoStatus, string>>> = {
  failed: "VideoFailed",
  cancelled: "VideoCancelled",
  expired: "VideoExpired"
}
