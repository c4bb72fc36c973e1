/** Applies an upstream's report to a job: finalizes it, or schedules the next poll. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { Settings } from "../../../instance/Settings.ts"
import type { VideoReport } from "../../../engine/upstreams/VideoReport.ts"
import { VideoFinalizer } from "../finalize/VideoFinalizer.ts"
import { VideoReservations } from "../pricing/VideoReservations.ts"
import { scheduleNextPoll } from "./scheduleNextPoll.ts"
import { VideoUpstream } from "./VideoUpstream.ts"
import { VideoClock } from "../VideoClock.ts"
import type { VideoJob } from "../VideoJob.ts"
import { type VideoStatus, canTransition } from "../VideoStatus.ts"
import { VideoStore } from "../VideoStore.ts"

/** The poll failed, so the state of the job is not known. */
export interface UnansweredPoll {
  readonly status: "unanswered"
  readonly retryAfterMillis: number | undefined
}

/** Applies reports to jobs. */
export class VideoReportApplier extends Context.Service<
  VideoReportApplier,
  {
    /**
     * Returns the changed job. Race: undefined, and nothing is done, when another writer changed the job since it was
     * read.
     */
    readonly applyReport: (
      job: VideoJob,
      report: VideoReport | UnansweredPoll
    ) => Effect.Effect<VideoJob | undefined>
    /**
     * Ends a job at its deadline: asks the provider to stop it, and charges its worst case unless the provider has
     * stopped it or reports that it made nothing. Repeating it after a crash is harmless. Race: undefined when another
     * writer changed the job since it was read.
     */
    readonly expire: (
      job: VideoJob,
      provider: { readonly answersPolls: boolean; readonly answersStops: boolean }
    ) => Effect.Effect<VideoJob | undefined>
  }
>()("@signalbox/core/domains/videos/poll/VideoReportApplier") {
  static readonly layer = Layer.effect(
    VideoReportApplier,
    Effect.gen(function* () {
      const { finalize } = yield* VideoFinalizer
      const reservations = yield* VideoReservations
      const settings = yield* Settings
      const store = yield* VideoStore
      const { read } = yield* VideoClock
      const upstream = yield* VideoUpstream

      const expire: VideoReportApplier["Service"]["expire"] = Effect.fnUntraced(function* (
        job,
        { answersPolls, answersStops }
      ) {
        const isStopped = answersStops && (yield* upstream.stop(job))
        // The job may have ended meanwhile, which is why a stop can be refused.
        const last = isStopped || !answersPolls ? undefined : yield* upstream.pollOnce(job)
        if (last?.status === "completed") return yield* finalize(job, last)
        const isFree = isStopped || (last !== undefined && madeNothing.has(last.status))
        const ended = yield* finalize(job, {
          ...expiredOutcome,
          ...(isFree ? undefined : { isCharged: true })
        })
        if (ended !== undefined) {
          yield* Effect.logWarning(
            `${job.id} reached its deadline at ${job.assignment?.endpoint}: ${isFree ? "the provider has stopped it, and nothing is charged" : "the provider may still make and bill it, so its worst case is charged"}`
          )
        }
        return ended
      })

      return {
        expire,
        applyReport: Effect.fnUntraced(function* (job, report) {
          switch (report.status) {
            case "completed":
              return yield* finalize(job, report)
            case "failed":
              return yield* finalize(job, {
                status: "failed",
                error: report.message ?? "The provider could not make the video"
              })
            case "cancelled":
            case "expired":
              return yield* finalize(job, {
                status: report.status,
                error: report.message ?? `The provider reports the job as ${report.status}`
              })
            case "pending":
            case "in_progress":
            case "unknown":
            case "unanswered":
          }
          const { now, toCurrent } = read()
          const current = toCurrent(job)
          if (now >= current.deadlineAt) {
            const answersPolls = report.status !== "unanswered"
            return yield* expire(job, { answersPolls, answersStops: true })
          }
          const isAnswered = report.status !== "unanswered"
          const failedPolls = isAnswered ? 0 : job.failedPolls + 1
          const after: VideoJob = {
            ...job,
            version: job.version + 1,
            status: toNextStatus(job.status, report.status),
            polls: job.polls + (isAnswered ? 1 : 0),
            failedPolls,
            reservedUntil: yield* reservations.renew(job, settings.videoReservationLeaseMillis),
            // A cancelled job is due at once, so that the worker stops it.
            dueAt: job.cancelRequested
              ? now
              : scheduleNextPoll(
                  {
                    ...current,
                    now,
                    failedPolls,
                    random: yield* Random.next,
                    intervalMillis:
                      job.assignment === undefined
                        ? undefined
                        : upstream.findCapability(job.assignment)?.pollIntervalMillis,
                    retryAfterMillis: isAnswered ? undefined : report.retryAfterMillis
                  },
                  settings
                )
          }
          return (yield* store.replace(job.version, after)) ? after : undefined
        })
      }
    })
  ).pipe(
    Layer.provide([
      VideoFinalizer.layer,
      VideoClock.layer,
      VideoReservations.layer,
      VideoUpstream.layer
    ])
  )
}

export const expiredOutcome = {
  status: "expired",
  error: "Job exceeded maximum time to live"
} as const

const madeNothing: ReadonlySet<VideoReport["status"]> = new Set(["failed", "cancelled", "expired"])

const toNextStatus = (
  before: VideoStatus,
  reported: "pending" | "in_progress" | "unknown" | "unanswered"
): VideoStatus =>
  reported === "in_progress" && canTransition(before, reported) ? reported : before
