/** Hashes API keys and compares the hashes; keys themselves are never stored. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Digest from "effect/crypto/Digest"
import type { KeyHash } from "../../values/ids/Ids.ts"
import * as Step from "../../values/Step.ts"

const encoder = new TextEncoder()

/** The SHA-256 of a secret, which stores keep in its place. */
export const hashKey = (key: Redacted.Redacted): Effect.Effect<KeyHash, never, Digest.Digest> =>
  Effect.flatMap(Digest.Digest, (digest) => hashSecret(digest, Redacted.value(key)))

/** The same with a digest at hand, which may answer at once. */
export const hashSecret = (digest: Digest.Digest["Service"], secret: string) =>
  Step.map(digest.digestHex(Digest.sha256, encoder.encode(secret)), toKeyHash)

// Safe: 32 bytes in hex. Checking the pattern would cost more than the digest.
const toKeyHash = (hex: string): KeyHash => hex as KeyHash

/** Compares two secrets, or two hashes, in a time that depends on their length alone. */
export const isSameSecret = (self: string, that: string): boolean => {
  let difference = self.length ^ that.length
  for (let at = 0; at < self.length; at++) difference |= self.charCodeAt(at) ^ that.charCodeAt(at)
  return difference === 0
}
