/** How often one key may call: a fixed window per key, in memory or wherever the store keeps it. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { Settings } from "../Settings.ts"
import { RateLimited } from "./AuthErrors.ts"
import type { KeyRateLimit } from "./ApiKey.ts"
import type { Caller } from "./Caller.ts"

export class RequestLimiter extends Context.Service<
  RequestLimiter,
  { readonly take: (caller: Caller) => Effect.Effect<void, RateLimited> }
>()("@signalbox/core/auth/RequestLimiter") {
  /**
   * Limits by the caller's own rate limit, else by `Settings.rateLimit`; the application itself is not
   * limited.
   */
  static readonly layer: Layer.Layer<RequestLimiter, never, RateLimiter.RateLimiter> = Layer.effect(
    RequestLimiter,
    Effect.gen(function* () {
      const limiter = yield* RateLimiter.RateLimiter
      const { rateLimit } = yield* Settings
      const consume = Effect.fnUntraced(function* (
        owner: string,
        { requests, windowMillis }: KeyRateLimit
      ) {
        const now = yield* Clock.currentTimeMillis
        yield* limiter
          // A window of another length is another window.
          .consume({
            key: `key:${owner}:${windowMillis}`,
            limit: requests,
            window: windowMillis
          })
          .pipe(
            Effect.catchReason(
              "RateLimiterError",
              "RateLimitExceeded",
              ({ limit, retryAfter }) => {
                const retryAfterMillis = Duration.toMillis(retryAfter)
                return Effect.fail(
                  new RateLimited({ limit, retryAfterMillis, resetAt: now + retryAfterMillis })
                )
              },
              // A store that cannot count must not turn callers away.
              (reason) => Effect.logWarning("rate limit store failed", reason._tag)
            )
          )
      })
      return {
        take: (caller: Caller) => {
          const limit = caller.rateLimit ?? rateLimit
          return limit === undefined || caller.kind === "host"
            ? Effect.void
            : consume(ownerOf(caller), limit)
        }
      }
    })
  )
}

/** Whom a window belongs to: the key, or, where a host lets its own users in, the user. */
const ownerOf = ({ account, keyHash, user, workspace }: Caller): string =>
  keyHash ?? JSON.stringify([account, workspace, user])
