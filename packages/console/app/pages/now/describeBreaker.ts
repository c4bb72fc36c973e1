/** Since when a breaker is in its state, why, and what comes next, in words. */
import { formatRelative, formatShare, formatSpan, formatTime } from "../../format/format.ts"
import type { LiveEndpoint } from "./useEndpoints.ts"

/** Empty while it is closed. `now` is milliseconds since the epoch, on the clock of the server. */
export const describeBreaker = (
  { cause, next_probe_at: next, share, since }: LiveEndpoint["breaker"],
  now: number
): string =>
  [
    since === null ? null : `since ${formatTime(since)} (${formatSpan(now - Date.parse(since))})`,
    cause,
    share === null ? null : `${formatShare(share)} of its traffic`,
    next === null
      ? null
      : `next probe ${Date.parse(next) <= now ? "now" : formatRelative(next, now)}`
  ]
    .filter((part) => part !== null)
    .join("; ")
