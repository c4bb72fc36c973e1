/** Long enough for what does not wait to be done. */
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"

export const settle = TestClock.withLive(Effect.sleep(20))
