/** Writes down how an upstream says a job stands. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { Settings } from "../Settings.ts"
import type { VideoReport } from "../upstreams/VideoReport.ts"
import { ending } from "./ending.ts"
import { holding } from "./holding.ts"
import { nextPoll } from "./nextPoll.ts"
import { reaching } from "./reaching.ts"
import type { VideoJob } from "./VideoJob.ts"
import { mayBecome, type VideoStatus } from "./VideoStatus.ts"
import { VideoStore } from "./VideoStore.ts"

/** What no upstream said: the asking failed, and nobody knows more than before. */
export interface Unanswered {
  readonly status: "unanswered"
  readonly retryAfterMillis: number | undefined
}

export const following = Effect.gen(function* () {
  const end = yield* ending
  const money = yield* holding
  const reach = yield* reaching
  const settings = yield* Settings
  const store = yield* VideoStore

  /** The job as it was read last; written to meanwhile, it is left to whoever did. */
  return Effect.fnUntraced(function* (job: VideoJob, report: VideoReport | Unanswered) {
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
      return yield* end(job, expired)
    }
    const isAnswered = report.status !== "unanswered"
    const unanswered = isAnswered ? 0 : job.unanswered + 1
    const after: VideoJob = {
      ...job,
      turn: job.turn + 1,
      status: statusAfter(job.status, report.status),
      polls: job.polls + (isAnswered ? 1 : 0),
      unanswered,
      heldUntil: yield* money.prolong(job, settings.videoLeaseMillis),
      // Nobody waits for what it comes to: it is stopped.
      dueAt: job.cancelWanted
        ? now
        : nextPoll(
            {
              ...job,
              now,
              unanswered,
              random: yield* Random.next,
              everyMillis:
                job.place === undefined
                  ? undefined
                  : reach.capabilityOf(job.place)?.pollEveryMillis,
              retryAfterMillis: isAnswered ? undefined : report.retryAfterMillis
            },
            settings
          )
    }
    return (yield* store.replace(job.turn, after)) ? after : undefined
  })
})

export const expired = {
  status: "expired",
  error: "Job exceeded maximum time to live"
} as const

const statusAfter = (
  before: VideoStatus,
  told: "pending" | "in_progress" | "unknown" | "unanswered"
): VideoStatus => (told === "in_progress" && mayBecome(before, told) ? told : before)
