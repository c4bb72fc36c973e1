/** Caches stored API keys, and unknown ones separately. */
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type Invalidation, ChangeFeed } from "../../ChangeFeed.ts"
import { Settings } from "../../Settings.ts"
import type { KeyHash } from "../../values/ids/KeyHash.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import type { ApiKey } from "./ApiKey.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import type { Caller } from "../Caller.ts"
import { toKeyLimit } from "./KeyLimit.ts"

/** A key and its caller. */
export interface CachedKey {
  readonly key: ApiKey
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
    /** The key whose current or former secret has this hash. */
    readonly find: (secret: KeyHash) => Effect.Effect<CachedKey | undefined>
    /** Drops changed keys from the cache. */
    readonly invalidate: (...keys: ReadonlyArray<ApiKey>) => Effect.Effect<void>
  }
>()("@signalbox/core/auth/keys/ApiKeyCache") {
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
      const positiveCache = yield* Cache.makeWith(lookUp, {
        capacity: settings.maxCachedKeys,
        timeToLive: (exit) =>
          Exit.isSuccess(exit) && exit.value !== undefined ? settings.keyCacheTtlMillis : 0
      })
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
        if (id === undefined) return yield* Cache.invalidateAll(positiveCache)
        for (const [secret, found] of yield* Cache.entries(positiveCache)) {
          if (found?.key.hash === id) yield* Cache.invalidate(positiveCache, secret)
        }
      })
      yield* remoteInvalidations.pipe(
        Stream.filter(({ topic }) => topic === "keys"),
        Stream.runForEach(invalidateChanged),
        Effect.forkScoped({ startImmediately: true })
      )

      return {
        find: Effect.fnUntraced(function* (secret) {
          const cached = yield* Cache.getSuccess(positiveCache, secret)
          if (Option.isSome(cached) && cached.value !== undefined) return cached.value
          const before = invalidations
          const found = yield* Cache.get(negativeCache, secret)
          if (found !== undefined) {
            yield* Cache.set(positiveCache, secret, found)
            if (invalidations !== before) yield* Cache.invalidate(positiveCache, secret)
          }
          return found
        }),
        invalidate: Effect.fnUntraced(function* (...keys) {
          const secrets = keys.flatMap(({ former_secret, secret_hash }) =>
            former_secret === null ? [secret_hash] : [secret_hash, former_secret.hash]
          )
          // In this order, so that a concurrent lookup cannot cache an outdated key.
          for (const secret of secrets) yield* Cache.invalidate(negativeCache, secret)
          invalidations++
          for (const secret of secrets) yield* Cache.invalidate(positiveCache, secret)
        })
      }
    })
  )
}

const toCaller = (key: ApiKey): Caller => {
  const { account, hash, host_rate_limit, kind, rate_limit, user, workspace } = key
  return {
    account,
    workspace,
    kind,
    keyHash: hash,
    ...omitUndefined({
      user,
      limit: toKeyLimit(key),
      rateLimit: host_rate_limit ?? undefined,
      ownRateLimit: rate_limit ?? undefined
    })
  }
}
