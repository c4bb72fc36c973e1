/** Turns a bearer token into a caller. A port: a host with its own users replaces it. */
import * as Clock from "effect/Clock"
import * as Digest from "effect/crypto/Digest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { hashKey } from "../secrets/hashKey.ts"
import { Unauthenticated } from "./AuthErrors.ts"
import type { Caller } from "./Caller.ts"
import { KnownKeys } from "./KnownKeys.ts"
import { opens } from "./opens.ts"

export class Authenticator extends Context.Service<
  Authenticator,
  { readonly authenticate: (token: Redacted.Redacted) => Effect.Effect<Caller, Unauthenticated> }
>()("@signalbox/core/auth/Authenticator") {
  /**
   * Looks the token up among the stored API keys, by its SHA-256. A key that is disabled or expired is
   * turned away in the words for one that nobody issued.
   */
  static readonly layer: Layer.Layer<Authenticator, never, KnownKeys | Digest.Digest> =
    Layer.effect(
      Authenticator,
      Effect.gen(function* () {
        const keys = yield* KnownKeys
        const digest = yield* Digest.Digest
        return {
          authenticate: Effect.fnUntraced(function* (token) {
            const hash = yield* Effect.provideService(hashKey(token), Digest.Digest, digest)
            const found = yield* keys.find(hash)
            const now = yield* Clock.currentTimeMillis
            return found !== undefined && opens(hash, found.key, now)
              ? found.caller
              : yield* new Unauthenticated()
          })
        }
      })
    )
}
