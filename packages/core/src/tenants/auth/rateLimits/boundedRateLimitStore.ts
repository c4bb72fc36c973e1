/** Guards a shared store of rate limits with a timeout and a circuit breaker. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { Settings } from "../../../instance/Settings.ts"
import { SteadyTime } from "../../../values/SteadyTime.ts"
import { RateLimitsUnavailable } from "../AuthErrors.ts"
import { RateLimitStore } from "./RateLimitStore.ts"

/**
 * Fails when the store takes longer than `Settings.rateLimitTimeoutMillis`. After a failure, one request per
 * `Settings.rateLimitRetryMillis` tries again, and the others fail at once.
 *
 * `effect/persistence/CircuitBreaker` would add `PubSub` to what a bundled application loads at the start.
 */
export const layerBoundedRateLimitStore: Layer.Layer<RateLimitStore, never, RateLimitStore> =
  Layer.effect(
    RateLimitStore,
    Effect.gen(function* () {
      const store = yield* RateLimitStore
      const { rateLimitTimeoutMillis, rateLimitRetryMillis } = yield* Settings
      const time = new SteadyTime(yield* Clock.Clock)
      const timeoutError = new RateLimitsUnavailable({
        problem: `no answer in ${rateLimitTimeoutMillis} ms`
      })
      const openError = new RateLimitsUnavailable({
        problem: "the circuit breaker of the store is open"
      })
      /** When the next request may try the store that failed. */
      let probeAt: number | undefined
      let isProbed = false

      /** Requests that began before the store failed say nothing about it now; nor does one whose client left. */
      const end = (isProbe: boolean, exit: Exit.Exit<unknown, unknown>): void => {
        if (isProbe) isProbed = false
        if ((probeAt === undefined) === isProbe || Exit.hasInterrupts(exit)) return
        probeAt = Exit.isSuccess(exit) ? undefined : time.now() + rateLimitRetryMillis
      }
      return {
        take: (key, limit) =>
          Effect.suspend(() => {
            const isProbe = probeAt !== undefined
            if (probeAt !== undefined && (isProbed || time.now() < probeAt)) {
              return Effect.fail(openError)
            }
            if (isProbe) isProbed = true
            return store.take(key, limit).pipe(
              Effect.timeoutOrElse({
                duration: rateLimitTimeoutMillis,
                orElse: () => Effect.fail(timeoutError)
              }),
              Effect.onExit((exit) => Effect.sync(() => end(isProbe, exit)))
            )
          })
      }
    })
  )
