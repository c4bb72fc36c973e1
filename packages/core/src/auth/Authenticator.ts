/** Turns a bearer token into a caller. A port: a host with its own users replaces it. */
import * as Digest from "effect/crypto/Digest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { hashKey } from "../secrets/hashKey.ts"
import type { ApiKey } from "./ApiKey.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import { Unauthenticated } from "./AuthErrors.ts"
import type { Caller } from "./Caller.ts"

export class Authenticator extends Context.Service<
  Authenticator,
  { readonly authenticate: (token: Redacted.Redacted) => Effect.Effect<Caller, Unauthenticated> }
>()("@signalbox/core/auth/Authenticator") {
  /** Looks the token up among the stored API keys, by its SHA-256. */
  static readonly layer: Layer.Layer<Authenticator, never, ApiKeyStore | Digest.Digest> =
    Layer.effect(
      Authenticator,
      Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const digest = yield* Digest.Digest
        return {
          authenticate: Effect.fnUntraced(function* (token) {
            const hash = yield* Effect.provideService(hashKey(token), Digest.Digest, digest)
            const key = yield* keys.findByHash(hash)
            return key === undefined ? yield* new Unauthenticated() : callerOf(key)
          })
        }
      })
    )
}

const callerOf = (key: ApiKey): Caller => ({
  account: key.account,
  workspace: key.workspace,
  kind: key.kind,
  keyHash: key.hash,
  ...(key.user === undefined ? undefined : { user: key.user })
})
