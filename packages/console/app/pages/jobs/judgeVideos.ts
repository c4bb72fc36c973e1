/** Whether a video is stuck, as a sentence. Pure. */
import { formatCount, formatRelative, formatSpan } from "../../format/format.ts"
import type { VideoJob } from "./useVideoCounts.ts"

type Oldest = Pick<VideoJob, "created_at" | "model" | "polls" | "provider_name">

/** Longer than providers need for a film as a rule. */
const longMillis = 1_800_000

/** `oldest` of those under way; undefined: none is. */
export const judgeVideos = (oldest: Oldest | undefined, now: number): string => {
  if (oldest === undefined) return "Is a video stuck? No: none is under way."
  const millis = now - new Date(oldest.created_at).getTime()
  if (millis < longMillis) {
    return `Is a video stuck? No: the oldest under way was submitted ${formatRelative(oldest.created_at, now)}.`
  }
  const { model, polls, provider_name: provider } = oldest
  const known =
    provider === null
      ? "no provider has accepted it"
      : polls === 0
        ? `${provider} has accepted it, and has not reported its state yet`
        : `${provider} has reported ${formatCount(polls)} times that it is not done`
  return `Is a video stuck? Perhaps: one of ${model} has been under way for ${formatSpan(millis)}, and ${known}.`
}
