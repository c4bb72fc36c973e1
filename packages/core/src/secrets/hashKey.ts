/** Hashes API keys and compares the hashes; keys themselves are never stored. */
import * as Digest from "effect/crypto/Digest"
import * as Mac from "effect/crypto/Mac"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { KeyHash } from "../values/ids/KeyHash.ts"

const encoder = new TextEncoder()

/** The SHA-256 of a secret, which stores keep in its place. */
export const hashKey = (key: Redacted.Redacted): Effect.Effect<KeyHash, never, Digest.Digest> =>
  Effect.flatMap(Digest.Digest, (digest) =>
    Effect.map(digest.digestHex(Digest.sha256, encoder.encode(Redacted.value(key))), (hex) =>
      KeyHash.make(hex)
    )
  )

/** Compares two hashes in constant time. */
export const isSameHash = (self: KeyHash, that: KeyHash): boolean =>
  Mac.timingSafeEqual(encoder.encode(self), encoder.encode(that))
