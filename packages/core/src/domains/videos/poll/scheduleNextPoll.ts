/** Schedules the next poll of a job. */
import * as Effect from "effect/Effect"
import { Catalog } from "../../../engine/catalog/Catalog.ts"
import { Settings, type SettingsShape } from "../../../instance/Settings.ts"
import type { VideoTime } from "../VideoClock.ts"
import { VideoStore } from "../VideoStore.ts"

interface PollState {
  /** Milliseconds since the epoch, like the other times. */
  readonly now: number
  readonly createdAt: number
  readonly deadlineAt: number
  /** Consecutive failed polls. */
  readonly failedPolls: number
  /** The poll interval of the upstream; undefined for the default. */
  readonly intervalMillis: number | undefined
  readonly retryAfterMillis?: number | undefined
  /** In [0, 1). */
  readonly random: number
}

/**
 * The interval is the larger of the provider's and a twentieth of the age of the job; it doubles with every failed
 * poll. Jitter of 20 % spreads jobs that were submitted together. Retry-After extends the interval up to the
 * configured maximum, so that a wrong header cannot delay a finished job for long. The result is never later than
 * the deadline.
 */
export const scheduleNextPoll = (
  {
    createdAt,
    deadlineAt,
    intervalMillis,
    now,
    random,
    retryAfterMillis = 0,
    failedPolls
  }: PollState,
  { maxVideoPollMillis, videoPollMillis }: SettingsShape
): number => {
  const least = intervalMillis ?? videoPollMillis
  const wanted = Math.max(least * 2 ** Math.min(failedPolls, 20), (now - createdAt) / 20)
  const longest = Math.max(least, maxVideoPollMillis)
  const bounded = Math.max(least, Math.min(wanted, longest))
  const pause = Math.max(bounded * (0.8 + 0.4 * random), Math.min(retryAfterMillis, longest))
  return Math.max(now, Math.min(Math.round(now + pause), deadlineAt))
}

/** Does something once after each time that the clock was set back. */
export const makeCatchUp = Effect.gen(function* () {
  const catalog = yield* Catalog
  const { maxVideoPollMillis, videoPollMillis } = yield* Settings
  const store = yield* VideoStore
  /** By how much the clock was behind when polls were last made due for that. */
  let caughtUp = 0

  const findLongestPause = (): number =>
    // With jitter.
    2 *
    Math.max(
      maxVideoPollMillis,
      videoPollMillis,
      ...Array.from(
        catalog.current().upstreams.values(),
        ({ videos }) => videos?.pollIntervalMillis ?? 0
      )
    )

  return ({ behind, now }: VideoTime): Effect.Effect<void> => {
    if (Math.abs(behind - caughtUp) < minCatchUpMillis) return Effect.void
    const made = Effect.sync(() => {
      caughtUp = behind
    })
    if (behind === 0) return made
    // Claimed until now, they are due now. Others are due at a deadline, mostly later than any poll.
    const polls = { now: now + behind + findLongestPause(), until: now, limit: maxPolls }
    return Effect.andThen(store.claim(polls), made)
  }
})

/** Milliseconds by which a poll may be late. */
const minCatchUpMillis = 1_000

/** More than a process polls. */
const maxPolls = 100_000
