/** Gives concurrent work that is not blocked the time to finish. */
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"

export const settle = TestClock.withLive(Effect.sleep(20))
