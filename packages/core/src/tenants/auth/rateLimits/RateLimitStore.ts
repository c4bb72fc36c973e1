/** Counts calls per key, in one process or shared by several. A port. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import { Settings } from "../../../instance/Settings.ts"
import { makeSteadyClock } from "../../../values/makeSteadyClock.ts"
import { RateLimitsUnavailable } from "../AuthErrors.ts"
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
>()("@signalbox/core/auth/rateLimits/RateLimitStore") {}

interface RateLimitWindow {
  count: number
  endsAt: number
}

/** Rate-limit windows in memory; ended windows are swept. */
export class RateLimitWindows {
  readonly #windows = new Map<string, RateLimitWindow>()
  #nextSweep = minSweepSize

  /** The number of stored windows: at most `minSweepSize`, or twice the number that were open together. */
  get size(): number {
    return this.#windows.size
  }

  /** Does the same as `RateLimitStore.take`, at `now` in milliseconds of a clock that never jumps. */
  take(key: string, { requests, windowMillis }: KeyRateLimit, now: number): number {
    let window = this.#windows.get(key)
    if (window === undefined || window.endsAt <= now) {
      this.#sweep(now)
      window = { count: 0, endsAt: now }
      this.#windows.set(key, window)
    }
    if (window.count >= requests) return Math.ceil(window.endsAt - now - roundingError)
    window.count++
    window.endsAt += windowMillis / requests
    return 0
  }

  /** Sweeps only when the number has doubled, so that the amortized cost per request is constant. */
  #sweep(now: number): void {
    if (this.#windows.size < this.#nextSweep) return
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(key)
    this.#nextSweep = Math.max(minSweepSize, this.#windows.size * 2)
  }
}

/** Milliseconds: more than a sum of parts of a window differs from it. */
const roundingError = 1e-3

const minSweepSize = 1000

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
      return {
        take: (key, limit) =>
          store.take(key, limit).pipe(
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
      }
    })
  ).pipe(Layer.provide(CircuitBreaker.layerStoreMemory()))
