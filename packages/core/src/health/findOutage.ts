/** Whether the last seconds' attempts are a significant outage. */
import type { Counts } from "./Counts.ts"
import type { Outage } from "./HealthSnapshot.ts"

/** A failure, and at least half of all failed. Source: semantics A1, our choice of the numbers. */
export const findOutage = ({ failures, successes }: Counts): Outage | undefined =>
  failures > 0 && failures >= successes ? { failures, of: failures + successes } : undefined
