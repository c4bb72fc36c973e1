/** When a job is asked after again. */
import type { SettingsShape } from "../../Settings.ts"

interface PollState {
  /** Milliseconds since the epoch, as all times here. */
  readonly now: number
  readonly createdAt: number
  readonly deadlineAt: number
  /** How many polls in a row were not answered. */
  readonly failedPolls: number
  /** What the provider asks for; absent: it does not say. */
  readonly intervalMillis: number | undefined
  readonly retryAfterMillis?: number | undefined
  /** From 0 up to 1. */
  readonly random: number
}

/**
 * As often as the provider allows; a job that has taken long is asked after less often, by a twentieth of
 * its age, and one whose polls fail at twice the distance each time. A fifth more or less is drawn, so that
 * jobs that came together do not stay together. What a provider asks to wait makes it longer, within the same
 * bound: a header that says too much would leave a job alone that was made long ago. Never later than its
 * deadline, so that it ends then.
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
