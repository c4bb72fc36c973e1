/** Counts calls per key, in one process or shared by several. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { RateLimitsUnavailable } from "../AuthErrors.ts"
import type { KeyRateLimit } from "../keys/ApiKey.ts"

/** Counts calls per key. */
export class RateLimitStore extends Context.Service<
  RateLimitStore,
  {
    /**
     * Counts a call in the window of `key` while it has fewer than `requests`. The first call opens the window, and
     * each call extends it by `windowMillis / requests`, so a caller at a steady rate is never rejected. Returns 0, or
     * the milliseconds until the full window ends. Race: of concurrent calls for the last place, in any process, one
     * gets it.
     */
    readonly take: (
      key: string,
      limit: KeyRateLimit
    ) => Effect.Effect<number, RateLimitsUnavailable>
  }
>()("@signalbox/core/tenants/auth/rateLimits/RateLimitStore") {}
