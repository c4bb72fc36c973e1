/** Whether an attempt was started at a moment or later. */
import type { Outcome } from "./Outcome.ts"

/**
 * Outcomes are recorded as they end: one that ended before the moment was timed by a clock that has
 * been set back since the moment, and is taken for later.
 */
export const isStartedSince = ({ at, startedAt }: Outcome, moment: number): boolean =>
  startedAt >= moment || at < moment
