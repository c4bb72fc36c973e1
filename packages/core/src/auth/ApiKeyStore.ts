/** Where API keys are kept, by hash. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { sameHash } from "../secrets/hashKey.ts"
import type { KeyHash } from "../values/KeyHash.ts"
import type { ApiKey } from "./ApiKey.ts"

export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  {
    /** The key with this hash; hashes are compared in constant time. */
    readonly findByHash: (hash: KeyHash) => Effect.Effect<ApiKey | undefined>
    /** Adds a key, or replaces the one with the same hash. */
    readonly put: (key: ApiKey) => Effect.Effect<void>
  }
>()("@signalbox/core/auth/ApiKeyStore") {
  static readonly layerMemory: Layer.Layer<ApiKeyStore, never, MemoryJournal> = Layer.effect(
    ApiKeyStore,
    Effect.map(MemoryJournal, ({ write }) => {
      const keys = new Map<KeyHash, ApiKey>()
      return {
        findByHash: (hash) =>
          Effect.sync(() => {
            const key = keys.get(hash)
            return key !== undefined && sameHash(key.hash, hash) ? key : undefined
          }),
        put: (key) =>
          write(() => {
            const before = keys.get(key.hash)
            keys.set(key.hash, key)
            const undo = () => {
              if (before === undefined) keys.delete(key.hash)
              else keys.set(key.hash, before)
            }
            return { result: undefined, undo }
          })
      }
    })
  )
}
