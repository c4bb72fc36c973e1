/** Guards a shared store of rate limits with a timeout and a circuit breaker. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import { Settings } from "../../../instance/Settings.ts"
import { makeSteadyClock } from "../../../values/SteadyTime.ts"
import { RateLimitsUnavailable } from "../AuthErrors.ts"
import { RateLimitStore } from "./RateLimitStore.ts"

/**
 * Fails when the store takes longer than `Settings.rateLimitTimeoutMillis`. After a failure, one request per
 * `Settings.rateLimitRetryMillis` tries again, and the others fail at once.
 */
export const layerBoundedRateLimitStore: Layer.Layer<RateLimitStore, never, RateLimitStore> =
  Layer.effect(
    RateLimitStore,
    Effect.gen(function* () {
      const store = yield* RateLimitStore
      const { rateLimitTimeoutMillis, rateLimitRetryMillis } = yield* Settings
      // The breaker takes the time it has been open from the time of day.
      const steadyClock = makeSteadyClock(yield* Clock.Clock)
      const breaker = yield* CircuitBreaker.make({
        tripPolicy: CircuitBreaker.consecutive(1),
        openDuration: rateLimitRetryMillis
      })
      const timeoutError = new RateLimitsUnavailable({
        problem: `no answer in ${rateLimitTimeoutMillis} ms`
      })
      const guard = <A>(
        call: () => Effect.Effect<A, RateLimitsUnavailable>
      ): Effect.Effect<A, RateLimitsUnavailable> =>
        Effect.suspend(call).pipe(
          Effect.timeoutOrElse({
            duration: rateLimitTimeoutMillis,
            orElse: () => Effect.fail(timeoutError)
          }),
          breaker.execute({ key: "store" }),
          Effect.provideService(Clock.Clock, steadyClock),
          Effect.catchTag("CircuitBreakerError", ({ message }) =>
            Effect.fail(new RateLimitsUnavailable({ problem: message }))
          )
        )
      return {
        take: (...input) => guard(() => store.take(...input)),
        readWindow: (...input) => guard(() => store.readWindow(...input)),
        takeTokens: (...input) => guard(() => store.takeTokens(...input)),
        addTokens: (...input) => guard(() => store.addTokens(...input)),
        takeSlot: (...input) => guard(() => store.takeSlot(...input)),
        renewSlot: (...input) => guard(() => store.renewSlot(...input)),
        releaseSlot: (...input) => guard(() => store.releaseSlot(...input))
      }
    })
  ).pipe(Layer.provide(CircuitBreaker.layerStoreMemory()))
