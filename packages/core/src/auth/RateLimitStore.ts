/** Where it is counted how often each key calls: in one process, or where several share it. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { KeyRateLimit } from "./ApiKey.ts"
import type { RateLimitsUnavailable } from "./AuthErrors.ts"
import { RateLimitWindows } from "./RateLimitWindows.ts"

/** Counts how often each key calls. */
export class RateLimitStore extends Context.Service<
  RateLimitStore,
  {
    /**
     * Takes a place in the window of `key` while fewer than `requests` are taken. The first one opens a
     * window, and each keeps it open for `windowMillis / requests` more: who keeps to the rate is never
     * turned away. Gives 0, or how many milliseconds the full window goes on. Race: of those who want the
     * last place at once, in whichever process, one gets it.
     */
    readonly take: (
      key: string,
      limit: KeyRateLimit
    ) => Effect.Effect<number, RateLimitsUnavailable>
  }
>()("@signalbox/core/auth/RateLimitStore") {
  static readonly layerMemory: Layer.Layer<RateLimitStore> = Layer.sync(RateLimitStore, () => {
    const windows = new RateLimitWindows()
    return {
      take: (key, limit) =>
        Effect.map(Clock.currentTimeMillis, (now) => windows.take(key, limit, now))
    }
  })
}
