/** Whether an attempt started at or after a moment. */
import type { Outcome } from "./Outcome.ts"

/**
 * Outcomes are recorded as they end. An end before the moment shows that the clock
 * was set back since, so the attempt counts as later.
 */
export const isStartedSince = ({ at, startedAt }: Outcome, moment: number): boolean =>
  startedAt >= moment || at < moment
