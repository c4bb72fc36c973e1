/** RateLimitStore in the memory of this process. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RateLimitWindows } from "../tenants/auth/rateLimits/RateLimitWindows.ts"
import { RateLimitStore } from "../tenants/auth/rateLimits/RateLimitStore.ts"
import { readMonotonicMillis } from "../values/readMonotonicMillis.ts"

export const memoryRateLimitStore: Layer.Layer<RateLimitStore> = Layer.sync(RateLimitStore, () => {
  const windows = new RateLimitWindows()
  return {
    take: (key, limit) =>
      Clock.clockWith((clock) =>
        Effect.sync(() => windows.take(key, limit, readMonotonicMillis(clock)))
      )
  }
})
