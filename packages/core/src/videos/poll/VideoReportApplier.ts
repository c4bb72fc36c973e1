/** Writes down how an upstream says a job stands. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { Settings } from "../../Settings.ts"
import type { VideoReport } from "../../upstreams/VideoReport.ts"
import { makeVideoFinalizer } from "../finalize/VideoFinalizer.ts"
import { makeVideoReservations } from "../pricing/VideoReservations.ts"
import { scheduleNextPoll } from "./scheduleNextPoll.ts"
import { makeVideoUpstream } from "./VideoUpstream.ts"
import type { VideoJob } from "../VideoJob.ts"
import { canTransition, type VideoStatus } from "../VideoStatus.ts"
import { VideoStore } from "../VideoStore.ts"

/** What no upstream said: the asking failed, and nobody knows more than before. */
export interface UnansweredPoll {
  readonly status: "unanswered"
  readonly retryAfterMillis: number | undefined
}

export const makeVideoReportApplier = Effect.gen(function* () {
  const end = yield* makeVideoFinalizer
  const reservations = yield* makeVideoReservations
  const reach = yield* makeVideoUpstream
  const settings = yield* Settings
  const store = yield* VideoStore

  /** The job as it was read last; written to meanwhile, it is left to whoever did. */
  return Effect.fnUntraced(function* (job: VideoJob, report: VideoReport | UnansweredPoll) {
    switch (report.status) {
      case "completed":
        return yield* end(job, report)
      case "failed":
        return yield* end(job, {
          status: "failed",
          error: report.message ?? "The provider could not make the video"
        })
      case "cancelled":
      case "expired":
        return yield* end(job, {
          status: report.status,
          error: report.message ?? `The provider says that the job is ${report.status}`
        })
      case "pending":
      case "in_progress":
      case "unknown":
      case "unanswered":
    }
    const now = yield* Clock.currentTimeMillis
    if (now >= job.deadlineAt) {
      yield* reach.stop(job)
      return yield* end(job, expiredOutcome)
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
      // Nobody waits for what it comes to: it is stopped.
      dueAt: job.cancelRequested
        ? now
        : scheduleNextPoll(
            {
              ...job,
              now,
              failedPolls,
              random: yield* Random.next,
              intervalMillis:
                job.assignment === undefined
                  ? undefined
                  : reach.findCapability(job.assignment)?.pollIntervalMillis,
              retryAfterMillis: isAnswered ? undefined : report.retryAfterMillis
            },
            settings
          )
    }
    return (yield* store.replace(job.version, after)) ? after : undefined
  })
})

export const expiredOutcome = {
  status: "expired",
  error: "Job exceeded maximum time to live"
} as const

const toNextStatus = (
  before: VideoStatus,
  reported: "pending" | "in_progress" | "unknown" | "unanswered"
): VideoStatus =>
  reported === "in_progress" && canTransition(before, reported) ? reported : before
