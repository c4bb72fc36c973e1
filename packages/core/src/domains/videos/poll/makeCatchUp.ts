/** Makes polls due that were scheduled before the system clock was set back: they would wait until it is there again. */
import * as Effect from "effect/Effect"
import { Catalog } from "../../../engine/catalog/Catalog.ts"
import { Settings } from "../../../instance/Settings.ts"
import type { VideoTime } from "../VideoClock.ts"
import { VideoStore } from "../VideoStore.ts"

/** Does something once after each time that the clock was set back. */
export const makeCatchUp = Effect.gen(function* () {
  const catalog = yield* Catalog
  const { maxVideoPollMillis, videoPollMillis } = yield* Settings
  const store = yield* VideoStore
  /** By how much the clock was behind when polls were last made due for that. */
  let caughtUp = 0

  const findLongestPause = (): number =>
    // With jitter.
    2 *
    Math.max(
      maxVideoPollMillis,
      videoPollMillis,
      ...Array.from(
        catalog.current().upstreams.values(),
        ({ videos }) => videos?.pollIntervalMillis ?? 0
      )
    )

  return ({ behind, now }: VideoTime): Effect.Effect<void> => {
    if (Math.abs(behind - caughtUp) < minCatchUpMillis) return Effect.void
    const made = Effect.sync(() => {
      caughtUp = behind
    })
    if (behind === 0) return made
    // Claimed until now, they are due now. Others are due at a deadline, mostly later than any poll.
    const polls = { now: now + behind + findLongestPause(), until: now, limit: maxPolls }
    return Effect.andThen(store.claim(polls), made)
  }
})

/** Milliseconds by which a poll may be late. */
const minCatchUpMillis = 1_000

/** More than a process polls. */
const maxPolls = 100_000
