/** Enforces the rate limits of callers, with a window per caller. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../../Settings.ts"
import { RateLimited } from "../AuthErrors.ts"
import type { KeyRateLimit } from "../keys/ApiKey.ts"
import { type Caller, listRateLimits } from "../Caller.ts"
import { RateLimitStore } from "./RateLimitStore.ts"
import { RateLimitWindows } from "./RateLimitWindows.ts"

/** Rejects callers that exceed their rate. */
export class RequestLimiter extends Context.Service<
  RequestLimiter,
  { readonly take: (caller: Caller) => Effect.Effect<void, RateLimited> }
>()("@signalbox/core/auth/rateLimits/RequestLimiter") {
  /**
   * Applies all rate limits of the caller (`listRateLimits`); the application itself has none. While the store is
   * unavailable, this process counts its own requests.
   */
  static readonly layer = Layer.effect(
    RequestLimiter,
    Effect.gen(function* () {
      const store = yield* RateLimitStore
      const { rateLimit } = yield* Settings
      const localWindows = new RateLimitWindows()
      let isDegraded = false

      const takeLocally = Effect.fnUntraced(function* (
        key: string,
        limit: KeyRateLimit,
        problem: string
      ) {
        if (!isDegraded) {
          isDegraded = true
          yield* Effect.logWarning(
            "rate limits are counted in this process alone until their store answers again",
            problem
          )
        }
        return localWindows.take(key, limit, yield* Clock.currentTimeMillis)
      })

      const consume = Effect.fnUntraced(function* (owner: string, limit: KeyRateLimit) {
        // Windows of different lengths are counted separately.
        const key = `key:${owner}:${limit.windowMillis}`
        const retryAfterMillis = yield* store.take(key, limit).pipe(
          Effect.tap(() => {
            if (!isDegraded) return Effect.void
            isDegraded = false
            return Effect.logInfo("rate limits are counted by their store again")
          }),
          Effect.catchTag("RateLimitsUnavailable", ({ problem }) =>
            takeLocally(key, limit, problem)
          )
        )
        if (retryAfterMillis === 0) return
        return yield* new RateLimited({
          limit: limit.requests,
          retryAfterMillis,
          resetAt: (yield* Clock.currentTimeMillis) + retryAfterMillis
        })
      })
      return {
        take: (caller: Caller) => {
          if (caller.kind === "host") return Effect.void
          const owner = toOwnerKey(caller)
          return Effect.forEach(
            listRateLimits(caller, rateLimit),
            (limit) => consume(owner, limit),
            {
              discard: true
            }
          )
        }
      }
    })
  )
}

/** The owner of a window: the key, or the user that a host authenticated without a key. */
const toOwnerKey = ({ account, keyHash, user, workspace }: Caller): string =>
  keyHash ?? JSON.stringify([account, workspace, user])
