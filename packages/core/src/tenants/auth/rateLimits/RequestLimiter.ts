/** Enforces the rate limits of callers, with a window per caller. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../../../instance/Settings.ts"
import { readMonotonicMillis } from "../../../values/readMonotonicMillis.ts"
import { RateLimited } from "../AuthErrors.ts"
import type { KeyRateLimit } from "../keys/ApiKey.ts"
import { type Caller, listRateLimits } from "../Caller.ts"
import { RateLimitWindows } from "./RateLimitWindows.ts"
import { RateLimitStore } from "./RateLimitStore.ts"
import * as Step from "../../../values/Step.ts"

/** Rejects callers that exceed their rate. */
export class RequestLimiter extends Context.Service<
  RequestLimiter,
  { readonly take: (caller: Caller) => Effect.Effect<void, RateLimited> }
>()("@signalbox/core/tenants/auth/rateLimits/RequestLimiter") {
  /**
   * Applies all rate limits of the caller (`listRateLimits`); the application itself is unlimited. While the store is
   * unavailable, this process counts its own requests.
   */
  static readonly layer = Layer.effect(
    RequestLimiter,
    Effect.gen(function* () {
      const store = yield* RateLimitStore
      const { rateLimit } = yield* Settings
      const clock = yield* Clock.Clock
      const localWindows = new RateLimitWindows()
      let isDegraded = false

      /** While the store is unavailable. */
      const takeLocally = (key: string, limit: KeyRateLimit, problem: string) => {
        const taken = Effect.sync(() => localWindows.take(key, limit, readMonotonicMillis(clock)))
        if (isDegraded) return taken
        isDegraded = true
        return Effect.andThen(
          Effect.logWarning(
            "rate limits are counted in this process alone until their store answers again",
            problem
          ),
          taken
        )
      }

      const checkWait = (
        retryAfterMillis: number,
        limit: KeyRateLimit,
        holder: "customer" | undefined
      ): Effect.Effect<void, RateLimited> =>
        retryAfterMillis === 0
          ? Effect.void
          : Effect.fail(
              new RateLimited({
                ...(holder === undefined ? undefined : { holder }),
                limit: limit.requests,
                retryAfterMillis,
                resetAt: clock.currentTimeMillisUnsafe() + retryAfterMillis
              })
            )

      const consume = (
        owner: string,
        limit: KeyRateLimit,
        holder?: "customer"
      ): Effect.Effect<void, RateLimited> => {
        // Windows of different lengths are counted separately.
        const key = `key:${owner}:${limit.windowMillis}`
        return Step.catchError(
          Step.flatMap(store.take(key, limit), (retryAfterMillis) => {
            if (!isDegraded) return checkWait(retryAfterMillis, limit, holder)
            isDegraded = false
            return Effect.andThen(
              Effect.logInfo("rate limits are counted by their store again"),
              checkWait(retryAfterMillis, limit, holder)
            )
          }),
          (error): Effect.Effect<void, RateLimited> =>
            error._tag === "RateLimited"
              ? Effect.fail(error)
              : Effect.flatMap(takeLocally(key, limit, error.problem), (retryAfterMillis) =>
                  checkWait(retryAfterMillis, limit, holder)
                )
        )
      }

      /** Takes from one limit after the other; a limit is not taken from when one before it is used up. */
      const consumeAll = (
        owner: string,
        limits: ReadonlyArray<KeyRateLimit>,
        index = 0
      ): Effect.Effect<void, RateLimited> => {
        const limit = limits[index]
        return limit === undefined
          ? Effect.void
          : Step.flatMap(consume(owner, limit), () => consumeAll(owner, limits, index + 1))
      }

      return {
        take: (caller: Caller) => {
          if (caller.kind === "host") return Effect.void
          const limits = listRateLimits(caller, rateLimit)
          const consuming =
            limits.length === 0 ? Effect.void : consumeAll(toOwnerKey(caller), limits)
          const shared = caller.bundle?.rateLimit
          return shared === undefined
            ? consuming
            : Step.flatMap(consuming, () => consume(toCustomerKey(caller), shared, "customer"))
        }
      }
    })
  )
}

/** All keys and users of a customer share a window. */
const toCustomerKey = ({ account, workspace }: Caller): string =>
  JSON.stringify(["customer", account, workspace])

/** The owner of a window: the key, or the user that a host authenticated without a key. */
const toOwnerKey = ({ account, keyHash, user, workspace }: Caller): string =>
  keyHash ?? JSON.stringify([account, workspace, user])
