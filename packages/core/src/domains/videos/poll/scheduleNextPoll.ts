/** Schedules the next poll of a job. */
import type { SettingsShape } from "../../../instance/Settings.ts"

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
