/** Finalizes a video job once: status, settlement, record and event are written in one transaction. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { Transaction } from "../../../instance/Transaction.ts"
import { Catalog } from "../../../engine/catalog/Catalog.ts"
import { DurableJobs } from "../../../engine/jobs/DurableJobs.ts"
import { SpendCounters } from "../../../engine/ledger/SpendCounters.ts"
import { Generations } from "../../../engine/observability/generations/Generations.ts"
import { Settings, type SettingsShape } from "../../../instance/Settings.ts"
import type { VideoOutput } from "../../../engine/upstreams/VideoReport.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { VideoUsage } from "../../../values/usage/ModelUsage.ts"
import { Deliveries } from "../../../tenants/webhooks/Deliveries.ts"
import { OptionalBlobStore } from "../../../instance/BlobStore.ts"
import { type Bill, VideoReservations } from "../pricing/VideoReservations.ts"
import { storeContentKind, toStoreContentStep } from "../content/VideoContentArchive.ts"
import { toVideoResponse } from "../toVideoResponse.ts"
import { toLoggedContent, toVideoGeneration } from "./toVideoGeneration.ts"
import type { VideoJob } from "../VideoJob.ts"
import type { VideoRequest } from "../request/VideoRequest.ts"
import { type BillableUsage, priceVideo } from "../pricing/priceVideo.ts"
import { type TerminalStatus, canTransition } from "../VideoStatus.ts"
import { VideoStore } from "../VideoStore.ts"

/** How a job ended. */
export interface VideoOutcome {
  readonly status: TerminalStatus
  readonly outputs?: ReadonlyArray<VideoOutput>
  readonly usage?: VideoUsage
  /** The cost the upstream reports. */
  readonly cost?: NanoUsd.NanoUsd
  /** When the upstream deletes the outputs, in milliseconds since the epoch. */
  readonly expiresAtMillis?: number
  readonly error?: string
  /** The provider may still make and bill the video, so the caller is charged. */
  readonly isCharged?: true
  /** It is not known whether a provider accepted the job: the caller is not charged. */
  readonly isUnknown?: true
}

/** A job that could not be stopped is charged. */
export const toCancelledOutcome = (isStopped: boolean): VideoOutcome => ({
  status: "cancelled",
  error: "The job was cancelled",
  ...(isStopped ? undefined : { isCharged: true })
})

/** For a job whose submit has an unknown outcome that cannot be resolved any more. */
export const toUnknownOutcome = ({
  cancelRequested,
  submittingTo
}: Pick<VideoJob, "cancelRequested" | "submittingTo">): VideoOutcome => ({
  ...(cancelRequested
    ? toCancelledOutcome(true)
    : {
        status: "failed",
        error: "It is not known whether the provider has accepted the job"
      }),
  ...(submittingTo === undefined ? undefined : { isUnknown: true })
})

/** Finalizes jobs. */
export class VideoFinalizer extends Context.Service<
  VideoFinalizer,
  {
    /** Undefined when another writer changed the job since it was read. */
    readonly finalize: (job: VideoJob, outcome: VideoOutcome) => Effect.Effect<VideoJob | undefined>
  }
>()("@signalbox/core/domains/videos/finalize/VideoFinalizer") {
  static readonly layer = Layer.effect(
    VideoFinalizer,
    Effect.gen(function* () {
      const { withTransaction } = yield* Transaction
      const catalog = yield* Catalog
      const counters = yield* SpendCounters
      const deliveries = yield* Deliveries
      const blobs = yield* OptionalBlobStore
      const generations = yield* Generations
      const jobs = yield* DurableJobs
      const reservations = yield* VideoReservations
      const {
        maxReportedCostMultiple,
        maxReportedUsageMultiple,
        publicUrl,
        videoContentRetentionMillis
      } = yield* Settings
      const store = yield* VideoStore

      const finalizeJob = Effect.fnUntraced(function* (job: VideoJob, outcome: VideoOutcome) {
        if (!canTransition(job.status, outcome.status)) return undefined
        const at = yield* Clock.currentTimeMillis
        const bill = toBill(job, outcome, {
          maxReportedCostMultiple,
          maxReportedUsageMultiple
        })
        const { expiresAtMillis = Infinity, outputs = [], status } = outcome
        const ended: VideoJob = {
          ...Struct.omit(job, [
            "cancelRequested",
            "dueAt",
            "plan",
            "submittedTwice",
            "submittingTo"
          ]),
          request: stripContent(job.request),
          version: job.version + 1,
          status,
          reservations: [],
          end: {
            at,
            contentUntil: Math.min(at + videoContentRetentionMillis, expiresAtMillis),
            outputs,
            ...omitUndefined({
              cost: bill && String(bill.isByok ? NanoUsd.zero : bill.cost),
              error: outcome.error
            })
          }
        }
        if (!(yield* store.replace(job.version, ended))) return undefined
        if (outcome.isUnknown) {
          yield* Effect.logWarning(
            `it is not known whether ${job.submittingTo} accepted ${job.id}: it may bill a video that no caller was charged for`
          )
        }
        if (bill?.implausible !== undefined) {
          const { atMost, reported } = bill.implausible
          yield* Effect.logWarning(
            `${job.assignment?.endpoint} reports an implausible cost of ${reported} USD for ${job.id}: ${atMost} USD is charged`
          )
        }
        yield* reservations.settle(job.reservations, bill)
        // After the settlement, or limits would count the cost twice.
        if (bill !== undefined && bill.cost > 0n) {
          yield* counters.record(job, bill.cost, bill.isByok, at)
        }
        const response = Struct.omit(toVideoResponse(ended, { publicUrl }), [
          "absolute_polling_url",
          "polling_url"
        ])
        yield* deliveries.offer({
          account: job.account,
          workspace: job.workspace,
          id: `${job.id}-${status}`,
          type: `video.generation.${status}`,
          at,
          data: { ...response, model: job.model },
          ...omitUndefined({ callbackUrl: job.callbackUrl })
        })
        if (blobs !== undefined && status === "completed")
          yield* jobs.offer(storeContentKind, toStoreContentStep(job.id))
        yield* generations.record(
          toVideoGeneration(ended, {
            at,
            bill,
            plan: job.plan,
            configuration: catalog.current().version
          }),
          toLoggedContent(job, response)
        )
        return ended
      })

      return {
        finalize: (job, outcome) =>
          Effect.tap(withTransaction(finalizeJob(job, outcome)), (ended) =>
            ended === undefined ? Effect.void : reservations.report(job.account, job.reservations)
          )
      }
    })
  ).pipe(Layer.provide(VideoReservations.layer))
}

/** An ended job keeps what explains its routing, and drops what described the video. */
const stripContent = (request: VideoRequest): VideoRequest => {
  const stripped = Struct.omit(request, ["prompt", "frame_images", "input_references"])
  return stripped.provider === undefined
    ? stripped
    : { ...stripped, provider: Struct.omit(stripped.provider, ["options"]) }
}

/** Undefined when nothing is owed, or the amount is unknown. */
const toBill = (
  { assignment }: VideoJob,
  outcome: VideoOutcome,
  { maxReportedCostMultiple, maxReportedUsageMultiple }: CostMultiples
): Bill | undefined => {
  if (assignment === undefined || (outcome.status !== "completed" && outcome.isCharged !== true)) {
    return undefined
  }
  const priceUsage = (usage: BillableUsage): NanoUsd.NanoUsd | undefined => {
    const usd = priceVideo(assignment.skus, usage)
    return usd === undefined ? undefined : NanoUsd.min(NanoUsd.fromUsd(usd), NanoUsd.maxAmount)
  }
  const cost = outcome.cost ?? priceUsage({ ...assignment.maxUsage, ...outcome.usage })
  if (cost === undefined) return undefined
  const payer = {
    isByok: assignment.credential !== undefined,
    candidate: assignment.candidate
  }
  const maxCost = priceUsage(assignment.maxUsage)
  const multiple = outcome.cost === undefined ? maxReportedUsageMultiple : maxReportedCostMultiple
  if (maxCost === undefined || cost <= maxCost * BigInt(multiple)) {
    return { cost: NanoUsd.min(cost, NanoUsd.maxAmount), ...payer }
  }
  return {
    cost: maxCost,
    ...payer,
    implausible: {
      what: "cost",
      reported: NanoUsd.toUsdNumber(cost),
      atMost: NanoUsd.toUsdNumber(maxCost)
    }
  }
}

type CostMultiples = Pick<SettingsShape, "maxReportedCostMultiple" | "maxReportedUsageMultiple">
