/** Enforces the rate limits of callers, with a window per caller. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../../../instance/Settings.ts"
import * as Step from "../../../values/Step.ts"
import { RateLimited } from "../AuthErrors.ts"
import { type Caller, listRateLimits } from "../Caller.ts"
import type { KeyRateLimit } from "../keys/ApiKey.ts"
import { RateLimits } from "./RateLimits.ts"

/** Rejects callers that exceed their rate. */
export class RequestLimiter extends Context.Service<
  RequestLimiter,
  { readonly take: (caller: Caller) => Effect.Effect<void, RateLimited> }
>()("@signalbox/core/tenants/auth/rateLimits/RequestLimiter") {
  /**
   * Applies all rate limits of the caller (`listRateLimits`); the application itself is unlimited.
   */
  static readonly layer = Layer.effect(
    RequestLimiter,
    Effect.gen(function* () {
      const { take } = yield* RateLimits
      const { rateLimit } = yield* Settings
      const clock = yield* Clock.Clock

      const consume = (
        owner: string,
        limit: KeyRateLimit,
        holder?: "customer"
      ): Effect.Effect<void, RateLimited> =>
        Step.flatMap(
          take(toWindowKey(owner, limit), limit),
          (retryAfterMillis): Effect.Effect<void, RateLimited> =>
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
        )

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

/** The key that calls of an owner are counted under. Windows of different lengths are counted separately. */
const toWindowKey = (owner: string, { windowMillis }: KeyRateLimit): string =>
  `key:${owner}:${windowMillis}`

/** A limit on calls, and the key that they are counted under. */
export interface CallLimit {
  readonly key: string
  readonly limit: KeyRateLimit
  readonly holder: "key" | "customer"
}

/** The limits that `take` applies to a caller. */
export const listCallLimits = (
  caller: Caller,
  common: KeyRateLimit | undefined
): ReadonlyArray<CallLimit> => {
  if (caller.kind === "host") return []
  const toCallLimit =
    (owner: string, holder: CallLimit["holder"]) =>
    (limit: KeyRateLimit): CallLimit => ({ key: toWindowKey(owner, limit), limit, holder })
  const shared = caller.bundle?.rateLimit
  return [
    ...listRateLimits(caller, common).map(toCallLimit(toOwnerKey(caller), "key")),
    ...(shared === undefined ? [] : [shared]).map(toCallLimit(toCustomerKey(caller), "customer"))
  ]
}

/** Those of the key, or of the user that a host authenticated without a key; with them those of keys to which these consented. */
export const toOwnerKey = ({ account, keyHash, rateOwner, user, workspace }: Caller): string =>
  rateOwner ?? keyHash ?? JSON.stringify([account, workspace, user])

/** Those of all keys and users of a customer. */
export const toCustomerKey = ({ account, workspace }: Caller): string =>
  JSON.stringify(["customer", account, workspace])
