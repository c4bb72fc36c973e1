/** The rate limits of the store, or of this process alone while the store is unavailable. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Step from "../../../values/Step.ts"
import type { RateLimitsUnavailable } from "../AuthErrors.ts"
import { makeLocalLimits } from "./makeLocalLimits.ts"
import { RateLimitStore } from "./RateLimitStore.ts"

type Stored = RateLimitStore["Service"]

/** `RateLimitStore` without its failures: says once that the store is unavailable, and once that it is back. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    readonly [Name in keyof Stored]: (
      ...input: Parameters<Stored[Name]>
    ) => Effect.Effect<Effect.Success<ReturnType<Stored[Name]>>>
  }
>()("@signalbox/core/tenants/auth/rateLimits/RateLimits") {
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.suspend(() => makeRateLimits)
  )
}

const makeRateLimits = Effect.gen(function* () {
  const store = yield* RateLimitStore
  const local = makeLocalLimits(yield* Clock.Clock)
  let isDegraded = false

  const orLocally = <A>(
    counting: Effect.Effect<A, RateLimitsUnavailable>,
    countLocally: () => Effect.Effect<A, RateLimitsUnavailable>
  ): Effect.Effect<A> =>
    Step.catchError(
      Step.flatMap(counting, (result) => {
        if (!isDegraded) return Effect.succeed(result)
        isDegraded = false
        return Effect.as(Effect.logInfo("rate limits are counted by their store again"), result)
      }),
      ({ problem }) => {
        const counted = Effect.orDie(Effect.suspend(countLocally))
        if (isDegraded) return counted
        isDegraded = true
        return Effect.andThen(
          Effect.logWarning(
            "rate limits are counted in this process alone until their store answers again",
            problem
          ),
          counted
        )
      }
    )

  const limits: RateLimits["Service"] = {
    take: (key, limit) => orLocally(store.take(key, limit), () => local.take(key, limit)),
    takeTokens: (key, limit, tokens) =>
      orLocally(store.takeTokens(key, limit, tokens), () => local.takeTokens(key, limit, tokens)),
    addTokens: (key, limit, tokens) =>
      orLocally(store.addTokens(key, limit, tokens), () => local.addTokens(key, limit, tokens)),
    takeSlot: (key, slot, slots, leaseMillis) =>
      orLocally(store.takeSlot(key, slot, slots, leaseMillis), () =>
        local.takeSlot(key, slot, slots, leaseMillis)
      ),
    renewSlot: (key, slot, leaseMillis) =>
      orLocally(store.renewSlot(key, slot, leaseMillis), () =>
        local.renewSlot(key, slot, leaseMillis)
      ),
    releaseSlot: (key, slot) =>
      Step.flatMap(
        // It may have been taken here while the store was unavailable.
        Effect.orDie(local.releaseSlot(key, slot)),
        () => orLocally(store.releaseSlot(key, slot), () => Effect.void)
      )
  }
  return limits
})
