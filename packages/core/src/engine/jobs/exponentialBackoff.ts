/** The default delays between the attempts at a step. */
import * as Schedule from "effect/Schedule"

/** One second, doubling to five minutes, with a jitter of a fifth. */
export const exponentialBackoff = Schedule.min([
  Schedule.exponential("1 second"),
  Schedule.spaced("5 minutes")
]).pipe(Schedule.jittered)
