/** Whether the attempts of the last seconds amount to an outage. */
import type { Counts } from "./Counts.ts"
import type { Outage } from "./HealthSnapshot.ts"

/** An outage is at least one failure, where at least half of the attempts failed. */
export const findOutage = ({ failures, successes }: Counts): Outage | undefined =>
  failures > 0 && failures >= successes ? { failures, of: failures + successes } : undefined
