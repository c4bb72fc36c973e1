/** Caches stored API keys, and unknown ones separately. */
import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type Invalidation, ChangeFeed } from "../../../instance/ChangeFeed.ts"
import { Settings } from "../../../instance/Settings.ts"
import type { KeyHash } from "../../../values/ids/Ids.ts"
import { ExpiringCache } from "../../../values/ExpiringCache.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import type { ApiKey } from "./ApiKey.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import type { Caller } from "../Caller.ts"
import { toGrantedLimit, toKeyLimit } from "./KeyLimit.ts"

/** A key and its caller. */
export interface CachedKey {
  readonly key: ApiKey
  /** Without the bundle of a customer, which may be moved to another one. */
  readonly caller: Caller
}

/**
 * Unknown keys have a cache of their own, so that they never evict known ones. Changes from `ChangeFeed` invalidate
 * like local ones.
 *
 * Race: the result of a lookup that began before `invalidate` is not cached after it.
 */
export class ApiKeyCache extends Context.Service<
  ApiKeyCache,
  {
    /** The key whose current or former secret has this hash: at once if it is cached. */
    readonly find: (secret: KeyHash) => Effect.Effect<CachedKey | undefined>
    /** Drops changed keys from the cache. */
    readonly invalidate: (...keys: ReadonlyArray<ApiKey>) => Effect.Effect<void>
  }
>()("@signalbox/core/tenants/auth/keys/ApiKeyCache") {
  static readonly layer = Layer.effect(
    ApiKeyCache,
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      const settings = yield* Settings
      const { remoteInvalidations } = yield* ChangeFeed

      const lookUp = (secret: KeyHash): Effect.Effect<CachedKey | undefined> =>
        Effect.map(store.findBySecretHash(secret), (key) =>
          key === undefined ? undefined : { key, caller: toCaller(key) }
        )
      const clock = yield* Clock.Clock
      const positiveCache = new ExpiringCache<KeyHash, CachedKey>(
        settings.maxCachedKeys,
        settings.keyCacheTtlMillis
      )
      const negativeCache = yield* Cache.makeWith(lookUp, {
        capacity: settings.maxCachedUnknownKeys,
        timeToLive: (exit) =>
          Exit.isSuccess(exit) && exit.value === undefined ? settings.unknownKeyCacheTtlMillis : 0
      })
      let invalidations = 0

      /** The secrets of a key that another process changed are not known here. */
      const invalidateChanged = Effect.fnUntraced(function* ({ id }: Invalidation) {
        yield* Cache.invalidateAll(negativeCache)
        invalidations++
        if (id === undefined) positiveCache.clear()
        else positiveCache.deleteWhere(({ key }) => key.hash === id)
      })
      yield* remoteInvalidations.pipe(
        Stream.filter(({ topic }) => topic === "keys"),
        Stream.runForEach(invalidateChanged),
        Effect.forkScoped({ startImmediately: true })
      )

      const findUncached = (secret: KeyHash): Effect.Effect<CachedKey | undefined> => {
        const before = invalidations
        return Effect.map(Cache.get(negativeCache, secret), (found) => {
          if (found !== undefined && invalidations === before) {
            positiveCache.set(secret, found, clock.currentTimeMillisUnsafe())
          }
          return found
        })
      }

      return {
        find: (secret) => {
          const cached = positiveCache.get(secret, clock.currentTimeMillisUnsafe())
          return cached === undefined
            ? Effect.suspend(() => findUncached(secret))
            : Effect.succeed(cached)
        },
        invalidate: Effect.fnUntraced(function* (...keys) {
          const secrets = keys.flatMap(({ former_secret, secret_hash }) =>
            former_secret === null ? [secret_hash] : [secret_hash, former_secret.hash]
          )
          // In this order, so that a concurrent lookup cannot cache an outdated key.
          for (const secret of secrets) yield* Cache.invalidate(negativeCache, secret)
          invalidations++
          for (const secret of secrets) positiveCache.delete(secret)
        })
      }
    })
  )
}

/** The caller of requests with this key. */
export const toCaller = (key: ApiKey): Caller => {
  const { account, hash, host_rate_limit, kind, rate_limit, user, workspace } = key
  const { host_max_parallel_requests, host_token_rate_limit } = key
  const { max_parallel_requests, token_rate_limit } = key
  return {
    account,
    workspace,
    kind,
    keyHash: hash,
    ...omitUndefined({
      user,
      limit: toKeyLimit(key),
      grantedLimit: toGrantedLimit(key),
      rateOwner: key.granted_by?.rate_owner,
      tags: key.tags,
      rateLimit: host_rate_limit ?? undefined,
      ownRateLimit: rate_limit ?? undefined,
      tokenRateLimit: host_token_rate_limit ?? undefined,
      ownTokenRateLimit: token_rate_limit ?? undefined,
      maxParallelRequests: host_max_parallel_requests ?? undefined,
      ownMaxParallelRequests: max_parallel_requests ?? undefined
    })
  }
}
