/** The record of one video job. */
import type { Generation, GenerationAttempt } from "../observability/Generation.ts"
import type { Content } from "../observability/IoLog.ts"
import { GenerationId } from "../values/GenerationId.ts"
import * as NanoUsd from "../values/NanoUsd.ts"
import type { Bill } from "./holding.ts"
import type { VideoJob, VideoPlan } from "./VideoJob.ts"
import type { VideoStatus } from "./VideoStatus.ts"

interface Ended {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly bill: Bill | undefined
  /** Undefined for a job that was accepted before plans were kept. */
  readonly plan: VideoPlan | undefined
  /** The version of the configuration when it ended. */
  readonly configuration: number
}

export const generationOf = (
  { attempts, ...job }: VideoJob,
  { at, bill, configuration, plan }: Ended
): Generation => {
  const { request } = job
  const error = errors[job.status]
  const paid = paidOf(bill)
  return {
    id: GenerationId.make(job.id),
    account: job.account,
    workspace: job.workspace,
    ...(job.keyHash === undefined ? undefined : { keyHash: job.keyHash }),
    operation: "videos",
    startedAt: job.createdAt,
    latencyMillis: at - job.createdAt,
    requestedModel: request.model,
    ...(job.place === undefined
      ? undefined
      : { model: job.model, provider: job.place.providerName }),
    ...(job.place?.credential === undefined ? undefined : { isByok: true }),
    ...(error === undefined ? undefined : { error }),
    ...paid,
    attempts: attempts.map((attempt): GenerationAttempt =>
      attempt.outcome === "served"
        ? {
            ...attempt,
            ...paid,
            ...(bill?.implausible === undefined ? undefined : { implausible: bill.implausible })
          }
        : attempt
    ),
    configuration,
    rejected: [],
    demoted: [],
    ...plan,
    ...(request.session_id === undefined ? undefined : { session: request.session_id }),
    ...(request.user === undefined ? undefined : { user: request.user }),
    ...(request.trace === undefined ? undefined : { trace: request.trace })
  }
}

/** What was asked, as the wire has it, and what became of it. */
export const contentOf = (
  { bytes, request }: Pick<VideoJob, "bytes" | "request">,
  told?: object
): Content => {
  const { session_id: _, trace: __, user: ___, ...input } = request
  return { bytes, input, ...(told === undefined ? undefined : { output: told }) }
}

const paidOf = (bill: Bill | undefined) => {
  if (bill === undefined) return undefined
  return bill.isByok ? { cost: NanoUsd.zero, upstreamCost: bill.cost } : { cost: bill.cost }
}

/** As the tags of errors are called. */
const errors: Readonly<Partial<Record<VideoStatus, string>>> = {
  failed: "VideoFailed",
  cancelled: "VideoCancelled",
  expired: "VideoExpired"
}
