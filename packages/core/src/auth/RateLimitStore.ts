/** Where it is counted how often each key calls: in one process, or where several share it. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { KeyRateLimit } from "./ApiKey.ts"
import type { RateLimitsUnavailable } from "./AuthErrors.ts"

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
>()("@signalbox/core/auth/RateLimitStore") {}
