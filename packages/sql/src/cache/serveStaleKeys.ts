/** Finds API keys while they cannot be read. While they can, the core caches them. */
import type { KeyHash } from "@signalbox/core/stores"
import { type ApiKey, type ApiKeyStore, type Invalidation, Settings } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { type ReadOutage, StaleReads } from "./StaleReads.ts"

type Store = ApiKeyStore["Service"]

/**
 * Race: a key that was read before a change of it is not served after that. A change by this process is known before the call
 * that made it returns, and one in a transaction before it commits, too.
 */
export const serveStaleKeys = Effect.fnUntraced(function* (
  store: Store,
  outage: ReadOutage,
  onRemoteChange: (listener: (change: Invalidation) => void) => void
): Effect.fn.Return<Store, never, SqlClient.SqlClient> {
  const { afterCommit } = yield* SqlClient.SqlClient
  const reads = new StaleReads<KeyHash, ApiKey>(outage, (yield* Settings).maxCachedKeys)
  let changes = 0
  const forgetWhere = (matches: (key: ApiKey) => boolean): void => {
    changes++
    reads.deleteWhere(matches)
  }
  const forget = (hash: KeyHash): void => forgetWhere((key) => key.hash === hash)
  onRemoteChange(({ account, id, topic }) => {
    if (topic !== "keys") return
    forgetWhere((key) => key.hash === (id ?? key.hash) && key.account === (account ?? key.account))
  })

  const forgetting = <A, E, R>(hash: KeyHash, change: Effect.Effect<A, E, R>) =>
    Effect.ensuring(
      change,
      Effect.andThen(
        Effect.sync(() => forget(hash)),
        afterCommit(Effect.sync(() => forget(hash)))
      )
    )
  const find = (secret: KeyHash): Effect.Effect<ApiKey | undefined> =>
    Effect.suspend(() => {
      const before = changes
      return Effect.map(store.findBySecretHash(secret), (key) => {
        if (key === undefined) reads.delete(secret)
        else if (changes === before) reads.set(secret, key)
        return key
      })
    })

  return {
    ...store,
    findBySecretHash: (secret) => reads.orLast(secret, find(secret), constUnconfirmed),
    put: (key) => forgetting(key.hash, store.put(key)),
    update: (account, hash, change) => forgetting(hash, store.update(account, hash, change)),
    remove: (account, hash) => forgetting(hash, store.remove(account, hash)),
    rotate: (account, hash, change) => forgetting(hash, store.rotate(account, hash, change))
  }
})

/** The core asks only for what it may not serve by itself, and what has changed is forgotten. */
const constUnconfirmed = () => "unconfirmed" as const
