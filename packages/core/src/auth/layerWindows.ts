/** The store of rate limits in one process; the library's own keeps the window of every key for ever. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerStoreMemory, RateLimiterStore } from "effect/persistence/RateLimiter"
import { Windows } from "./Windows.ts"

export const layerWindows: Layer.Layer<RateLimiterStore> = Layer.effect(
  RateLimiterStore,
  Effect.map(RateLimiterStore, (store) => {
    const windows = new Windows()
    return {
      ...store,
      fixedWindow: ({ key, limit, refillRate, tokens }) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          windows.take(key, { tokens, limit, millis: Duration.toMillis(refillRate), now })
        )
    }
  })
).pipe(Layer.provide(layerStoreMemory))
