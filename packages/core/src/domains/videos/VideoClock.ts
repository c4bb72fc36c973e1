/** When jobs are due and expire: by the system clock, since processes share these times, but not because of its jumps. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../../instance/Settings.ts"
import { LeaseClock } from "../../values/LeaseClock.ts"
import type { VideoJob } from "./VideoJob.ts"

type JobTimes = Pick<VideoJob, "createdAt" | "deadlineAt">

export interface VideoTime {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** By how much the clock is behind the one that scheduled the polls of running jobs; usually 0. */
  readonly behind: number
  /** The job with times that compare with `now`: the clock may have jumped since they were set. */
  readonly toCurrent: <Job extends JobTimes>(job: Job) => Job
}

export class VideoClock extends Context.Service<VideoClock, { readonly read: () => VideoTime }>()(
  "@signalbox/core/domains/videos/VideoClock"
) {
  /** Knows the jumps since it was made. */
  static readonly layer = Layer.effect(
    VideoClock,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const { videoTimeoutMillis } = yield* Settings
      const leaseClock = new LeaseClock()
      const read = (): VideoTime => {
        // Jobs since a jump reach their deadline after that time only.
        const { earliest, latest, now } = leaseClock.read(clock, videoTimeoutMillis)
        const ahead = now - earliest
        const behind = latest - now
        return {
          now,
          behind,
          toCurrent: (job) => ({
            ...job,
            createdAt: job.createdAt + ahead - behind,
            // A late deadline only ends a job later, and its provider ends it before that.
            deadlineAt: job.deadlineAt + ahead
          })
        }
      }
      read()
      return { read }
    })
  )
}
