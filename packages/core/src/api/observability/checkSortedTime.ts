/** Bounds the time of what is sorted or summed up, which reads all records of its time. */
import * as Effect from "effect/Effect"
import { bucketMillis } from "../../engine/observability/rollups/Resolution.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"

/** A sorted list, and one of sessions, may span so many days. */
export const maxSortedDays = 7

/** Fails when more than `maxSortedDays` lie between the two, in milliseconds since the epoch. `what` reads them. */
export const checkSortedTime = (
  from: number,
  to: number,
  what: string
): Effect.Effect<void, InvalidRequest> =>
  to - from > maxSortedDays * bucketMillis.day
    ? Effect.fail(
        new InvalidRequest({
          path: ["from"],
          problem: `must be at most ${maxSortedDays} days before the end of ${what} all records of its time`
        })
      )
    : Effect.void
