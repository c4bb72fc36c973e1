/** Ends a video job, once: status, money, record and event are written together or not at all. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { Transaction } from "../../Transaction.ts"
import { Catalog } from "../../catalog/Catalog.ts"
import { DurableJobs } from "../../jobs/DurableJobs.ts"
import { SpendCounters } from "../../ledger/SpendCounters.ts"
import { Generations } from "../../observability/Generations.ts"
import { Settings, type SettingsShape } from "../../Settings.ts"
import type { VideoOutput } from "../../upstreams/VideoReport.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { VideoUsage } from "../../values/usage/VideoUsage.ts"
import { Deliveries } from "../../webhooks/Deliveries.ts"
import { OptionalBlobStore } from "../content/BlobStore.ts"
import { type Bill, makeVideoReservations } from "../pricing/VideoReservations.ts"
import { storeContentKind, toStoreContentStep } from "../content/VideoContentArchive.ts"
import { toVideoResponse } from "../toVideoResponse.ts"
import { toLoggedContent, toVideoGeneration } from "./toVideoGeneration.ts"
import type { VideoJob } from "../VideoJob.ts"
import type { VideoRequest } from "../request/VideoRequest.ts"
import { type BillableUsage, priceVideo } from "../pricing/priceVideo.ts"
import { canTransition, type TerminalStatus } from "../VideoStatus.ts"
import { VideoStore } from "../VideoStore.ts"

export interface VideoOutcome {
  readonly status: TerminalStatus
  readonly outputs?: ReadonlyArray<VideoOutput>
  readonly usage?: VideoUsage
  /** What the upstream itself says it costs. */
  readonly cost?: NanoUsd.NanoUsd
  /** When the upstream deletes the outputs, in milliseconds since the epoch. */
  readonly expiresAtMillis?: number
  readonly error?: string
  /** The provider may make and charge the video all the same: so is the caller. */
  readonly isCharged?: true
  /** Nobody knows whether a provider makes it: it may charge for what nobody has, and the caller is not. */
  readonly isUnknown?: true
}

/** As its owner wanted; what could not be stopped is paid for. */
export const toCancelledOutcome = (isStopped: boolean): VideoOutcome => ({
  status: "cancelled",
  error: "The job was cancelled",
  ...(isStopped ? undefined : { isCharged: true })
})

/** Of a job that a provider may have got, and nobody can learn whether it has. */
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

export const makeVideoFinalizer = Effect.gen(function* () {
  const { withTransaction } = yield* Transaction
  const catalog = yield* Catalog
  const counters = yield* SpendCounters
  const deliveries = yield* Deliveries
  const blobs = yield* OptionalBlobStore
  const generations = yield* Generations
  const jobs = yield* DurableJobs
  const reservations = yield* makeVideoReservations
  const {
    maxReportedCostMultiple,
    maxReportedUsageMultiple,
    publicUrl,
    videoContentRetentionMillis
  } = yield* Settings
  const store = yield* VideoStore

  /** Undefined when somebody else wrote to the job since it was read. */
  const finalizeJob = Effect.fnUntraced(function* (job: VideoJob, ending: VideoOutcome) {
    if (!canTransition(job.status, ending.status)) return undefined
    const at = yield* Clock.currentTimeMillis
    const bill = toBill(job, ending, {
      maxReportedCostMultiple,
      maxReportedUsageMultiple
    })
    const { expiresAtMillis = Infinity, outputs = [], status } = ending
    const ended: VideoJob = {
      ...Struct.omit(job, ["cancelRequested", "dueAt", "plan", "submittedTwice", "submittingTo"]),
      request: stripContent(job.request),
      version: job.version + 1,
      status,
      reservations: [],
      end: {
        at,
        contentUntil: Math.min(at + videoContentRetentionMillis, expiresAtMillis),
        outputs,
        ...(bill === undefined
          ? undefined
          : { cost: String(bill.isByok ? NanoUsd.zero : bill.cost) }),
        ...(ending.error === undefined ? undefined : { error: ending.error })
      }
    }
    if (!(yield* store.replace(job.version, ended))) return undefined
    if (ending.isUnknown) {
      yield* Effect.logWarning(
        `nobody knows whether ${job.submittingTo} makes ${job.id}: it may bill a video that nobody was charged for`
      )
    }
    if (bill?.implausible !== undefined) {
      const { atMost, reported } = bill.implausible
      yield* Effect.logWarning(
        `${job.assignment?.endpoint} states that ${job.id} cost ${reported} USD, which cannot be: ${atMost} is charged`
      )
    }
    yield* reservations.settle(job.reservations, bill)
    // After it is settled, or limits would count it twice.
    if (bill !== undefined && bill.cost > 0n) {
      yield* counters.record(job, bill.cost, bill.isByok, at)
    }
    const { polling_url: _, ...told } = toVideoResponse(ended, { publicUrl })
    yield* deliveries.offer({
      account: job.account,
      workspace: job.workspace,
      id: `${job.id}-${status}`,
      type: `video.generation.${status}`,
      at,
      data: { ...told, model: job.model },
      ...(job.callbackUrl === undefined ? undefined : { callbackUrl: job.callbackUrl })
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
      toLoggedContent(job, told)
    )
    return ended
  })

  return (job: VideoJob, how: VideoOutcome) => withTransaction(finalizeJob(job, how))
})

/** What remains says how it was routed, and no more of what the video was to be. */
const stripContent = (request: VideoRequest): VideoRequest => {
  const kept = Struct.omit(request, ["prompt", "frame_images", "input_references"])
  return kept.provider === undefined
    ? kept
    : { ...kept, provider: Struct.omit(kept.provider, ["options"]) }
}

/** Undefined: nothing is owed, or nobody knows what. */
const toBill = (
  { assignment }: VideoJob,
  ending: VideoOutcome,
  { maxReportedCostMultiple, maxReportedUsageMultiple }: CostMultiples
): Bill | undefined => {
  if (assignment === undefined || (ending.status !== "completed" && ending.isCharged !== true)) {
    return undefined
  }
  const priceUsage = (made: BillableUsage): NanoUsd.NanoUsd | undefined => {
    const usd = priceVideo(assignment.skus, made)
    return usd === undefined ? undefined : NanoUsd.min(NanoUsd.fromUsd(usd), NanoUsd.maxAmount)
  }
  const cost = ending.cost ?? priceUsage({ ...assignment.maxUsage, ...ending.usage })
  if (cost === undefined) return undefined
  const isByok = assignment.credential !== undefined
  const worst = priceUsage(assignment.maxUsage)
  const multiple = ending.cost === undefined ? maxReportedUsageMultiple : maxReportedCostMultiple
  if (worst === undefined || cost <= worst * BigInt(multiple)) {
    return { cost: NanoUsd.min(cost, NanoUsd.maxAmount), isByok }
  }
  return {
    cost: worst,
    isByok,
    implausible: {
      what: "cost",
      reported: NanoUsd.toUsdNumber(cost),
      atMost: NanoUsd.toUsdNumber(worst)
    }
  }
}

type CostMultiples = Pick<SettingsShape, "maxReportedCostMultiple" | "maxReportedUsageMultiple">
