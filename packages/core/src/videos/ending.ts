/** Ends a video job, once: status, money, record and event are written together or not at all. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { Atomically } from "../Atomically.ts"
import { Catalog } from "../catalog/Catalog.ts"
import { DurableJobs } from "../jobs/DurableJobs.ts"
import { SpendCounters } from "../ledger/SpendCounters.ts"
import { Generations } from "../observability/Generations.ts"
import { Settings, type SettingsShape } from "../Settings.ts"
import type { VideoOutput } from "../upstreams/VideoReport.ts"
import * as NanoUsd from "../values/NanoUsd.ts"
import type { VideoUsage } from "../values/VideoUsage.ts"
import { Deliveries } from "../webhooks/Deliveries.ts"
import { Blobs } from "./BlobStore.ts"
import { type Bill, holding } from "./holding.ts"
import { keepKind, keepStep } from "./keeping.ts"
import { toldVideo } from "./toldVideo.ts"
import { contentOf, generationOf } from "./videoGeneration.ts"
import type { VideoJob } from "./VideoJob.ts"
import type { VideoRequest } from "./VideoRequest.ts"
import { type Made, videoPrice } from "./videoPrice.ts"
import { mayBecome, type TerminalStatus } from "./VideoStatus.ts"
import { VideoStore } from "./VideoStore.ts"

export interface Ending {
  readonly status: TerminalStatus
  readonly outputs?: ReadonlyArray<VideoOutput>
  readonly usage?: VideoUsage
  /** What the upstream itself says it costs. */
  readonly cost?: NanoUsd.NanoUsd
  /** When the upstream deletes the outputs, in milliseconds since the epoch. */
  readonly expiresAtMillis?: number
  readonly error?: string
  /** The provider may make and charge the video all the same: so is the caller. */
  readonly isMade?: true
  /** Nobody knows whether a provider makes it: it may charge for what nobody has, and the caller is not. */
  readonly isUnknown?: true
}

/** As its owner wanted; what could not be stopped is paid for. */
export const cancelled = (isStopped: boolean): Ending => ({
  status: "cancelled",
  error: "The job was cancelled",
  ...(isStopped ? undefined : { isMade: true })
})

/** Of a job that a provider may have got, and nobody can learn whether it has. */
export const neverKnown = ({
  cancelWanted,
  submittingTo
}: Pick<VideoJob, "cancelWanted" | "submittingTo">): Ending => ({
  ...(cancelWanted
    ? cancelled(true)
    : {
        status: "failed",
        error: "It is not known whether the provider has accepted the job"
      }),
  ...(submittingTo === undefined ? undefined : { isUnknown: true })
})

export const ending = Effect.gen(function* () {
  const { atomically } = yield* Atomically
  const catalog = yield* Catalog
  const counters = yield* SpendCounters
  const deliveries = yield* Deliveries
  const blobs = yield* Blobs
  const generations = yield* Generations
  const jobs = yield* DurableJobs
  const money = yield* holding
  const { maxStatedCostMultiple, maxStatedUsageMultiple, publicUrl, videoContentMillis } =
    yield* Settings
  const store = yield* VideoStore

  /** Undefined when somebody else wrote to the job since it was read. */
  const end = Effect.fnUntraced(function* (job: VideoJob, ending: Ending) {
    if (!mayBecome(job.status, ending.status)) return undefined
    const at = yield* Clock.currentTimeMillis
    const bill = billOf(job, ending, {
      maxStatedCostMultiple,
      maxStatedUsageMultiple
    })
    const { expiresAtMillis = Infinity, outputs = [], status } = ending
    const ended: VideoJob = {
      ...Struct.omit(job, ["cancelWanted", "dueAt", "plan", "submittedTwice", "submittingTo"]),
      request: withoutContent(job.request),
      turn: job.turn + 1,
      status,
      held: [],
      end: {
        at,
        contentUntil: Math.min(at + videoContentMillis, expiresAtMillis),
        outputs,
        ...(bill === undefined
          ? undefined
          : { cost: String(bill.isByok ? NanoUsd.zero : bill.cost) }),
        ...(ending.error === undefined ? undefined : { error: ending.error })
      }
    }
    if (!(yield* store.replace(job.turn, ended))) return undefined
    if (ending.isUnknown) {
      yield* Effect.logWarning(
        `nobody knows whether ${job.submittingTo} makes ${job.id}: it may bill a video that nobody was charged for`
      )
    }
    if (bill?.implausible !== undefined) {
      const { atMost, stated } = bill.implausible
      yield* Effect.logWarning(
        `${job.place?.endpoint} states that ${job.id} cost ${stated} USD, which cannot be: ${atMost} is charged`
      )
    }
    yield* money.pay(job.held, bill)
    // After it is settled, or limits would count it twice.
    if (bill !== undefined && bill.cost > 0n) {
      yield* counters.record(job, bill.cost, bill.isByok, at)
    }
    const { polling_url: _, ...told } = toldVideo(ended, { publicUrl })
    yield* deliveries.offer({
      account: job.account,
      workspace: job.workspace,
      id: `${job.id}-${status}`,
      type: `video.generation.${status}`,
      at,
      data: { ...told, model: job.model },
      ...(job.callbackUrl === undefined ? undefined : { callbackUrl: job.callbackUrl })
    })
    if (blobs !== undefined && status === "completed") yield* jobs.offer(keepKind, keepStep(job.id))
    yield* generations.ended(
      generationOf(ended, { at, bill, plan: job.plan, configuration: catalog.current().version }),
      contentOf(job, told)
    )
    return ended
  })

  return (job: VideoJob, how: Ending) => atomically(end(job, how))
})

/** What remains says how it was routed, and no more of what the video was to be. */
const withoutContent = (request: VideoRequest): VideoRequest => {
  const kept = Struct.omit(request, ["prompt", "frame_images", "input_references"])
  return kept.provider === undefined
    ? kept
    : { ...kept, provider: Struct.omit(kept.provider, ["options"]) }
}

/** Undefined: nothing is owed, or nobody knows what. */
const billOf = (
  { place }: VideoJob,
  ending: Ending,
  { maxStatedCostMultiple, maxStatedUsageMultiple }: Multiples
): Bill | undefined => {
  if (place === undefined || (ending.status !== "completed" && ending.isMade !== true)) {
    return undefined
  }
  const priceOf = (made: Made): NanoUsd.NanoUsd | undefined => {
    const usd = videoPrice(place.skus, made)
    return usd === undefined ? undefined : NanoUsd.min(NanoUsd.fromUsd(usd), NanoUsd.most)
  }
  const cost = ending.cost ?? priceOf({ ...place.atMost, ...ending.usage })
  if (cost === undefined) return undefined
  const isByok = place.credential !== undefined
  const worst = priceOf(place.atMost)
  const multiple = ending.cost === undefined ? maxStatedUsageMultiple : maxStatedCostMultiple
  if (worst === undefined || cost <= worst * BigInt(multiple)) {
    return { cost: NanoUsd.min(cost, NanoUsd.most), isByok }
  }
  return {
    cost: worst,
    isByok,
    implausible: {
      what: "cost",
      stated: NanoUsd.toUsdNumber(cost),
      atMost: NanoUsd.toUsdNumber(worst)
    }
  }
}

type Multiples = Pick<SettingsShape, "maxStatedCostMultiple" | "maxStatedUsageMultiple">
