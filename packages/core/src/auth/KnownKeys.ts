/** What the store says of keys, remembered for a while: those there are, and those there are not. */
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type Change, Changes } from "../Changes.ts"
import { Settings } from "../Settings.ts"
import type { KeyHash } from "../values/KeyHash.ts"
import type { ApiKey } from "./ApiKey.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import type { Caller } from "./Caller.ts"
import { limitOf } from "./KeyLimit.ts"

/** A key, and who calls with it. */
export interface KnownKey {
  readonly key: ApiKey
  readonly caller: Caller
}

/**
 * Strangers have a memory of their own: however many there are, no key that is known is forgotten for
 * them. What `Changes` tells of is forgotten like what was changed here.
 *
 * Race: an answer of the store that was asked for before `forget` is not remembered after it.
 */
export class KnownKeys extends Context.Service<
  KnownKeys,
  {
    /** The key that a secret with this hash may open. */
    readonly find: (secret: KeyHash) => Effect.Effect<KnownKey | undefined>
    /** The key was changed: the store is asked again. */
    readonly forget: (...keys: ReadonlyArray<ApiKey>) => Effect.Effect<void>
  }
>()("@signalbox/core/auth/KnownKeys") {
  static readonly layer: Layer.Layer<KnownKeys, never, ApiKeyStore> = Layer.effect(
    KnownKeys,
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      const settings = yield* Settings
      const { elsewhere } = yield* Changes

      const ask = (secret: KeyHash): Effect.Effect<KnownKey | undefined> =>
        Effect.map(store.findByHash(secret), (key) =>
          key === undefined ? undefined : { key, caller: callerOf(key) }
        )
      const known = yield* Cache.makeWith(ask, {
        capacity: settings.keysCached,
        timeToLive: (exit) =>
          Exit.isSuccess(exit) && exit.value !== undefined ? settings.keyCacheMillis : 0
      })
      const strangers = yield* Cache.makeWith(ask, {
        capacity: settings.unknownKeysCached,
        timeToLive: (exit) =>
          Exit.isSuccess(exit) && exit.value === undefined ? settings.unknownKeyCacheMillis : 0
      })
      let forgotten = 0

      /** Nobody here knows which secrets opened a key that was changed elsewhere, or do now. */
      const changed = Effect.fnUntraced(function* ({ id }: Change) {
        yield* Cache.invalidateAll(strangers)
        forgotten++
        if (id === undefined) return yield* Cache.invalidateAll(known)
        for (const [secret, found] of yield* Cache.entries(known)) {
          if (found?.key.hash === id) yield* Cache.invalidate(known, secret)
        }
      })
      yield* elsewhere.pipe(
        Stream.filter(({ topic }) => topic === "keys"),
        Stream.runForEach(changed),
        Effect.forkScoped({ startImmediately: true })
      )

      return {
        find: Effect.fnUntraced(function* (secret) {
          const held = yield* Cache.getSuccess(known, secret)
          if (Option.isSome(held) && held.value !== undefined) return held.value
          const before = forgotten
          const found = yield* Cache.get(strangers, secret)
          if (found !== undefined) {
            yield* Cache.set(known, secret, found)
            if (forgotten !== before) yield* Cache.invalidate(known, secret)
          }
          return found
        }),
        forget: Effect.fnUntraced(function* (...keys) {
          const secrets = keys.flatMap(({ former_secret, secret_hash }) =>
            former_secret === null ? [secret_hash] : [secret_hash, former_secret.hash]
          )
          // In this order, or what is found meanwhile could be remembered.
          for (const secret of secrets) yield* Cache.invalidate(strangers, secret)
          forgotten++
          for (const secret of secrets) yield* Cache.invalidate(known, secret)
        })
      }
    })
  )
}

const callerOf = (key: ApiKey): Caller => {
  const limit = limitOf(key)
  return {
    account: key.account,
    workspace: key.workspace,
    kind: key.kind,
    keyHash: key.hash,
    ...(key.user === undefined ? undefined : { user: key.user }),
    ...(limit === undefined ? undefined : { limit }),
    ...(key.host_rate_limit === null ? undefined : { rateLimit: key.host_rate_limit }),
    ...(key.rate_limit === null ? undefined : { ownRateLimit: key.rate_limit })
  }
}
