/** SHA-256 and its siblings on `node:crypto`, which needs no thread for a small input. */
import { createHash, hash } from "node:crypto"
import { Digest } from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const digestLayer: Layer.Layer<Digest> = Layer.succeed(Digest, {
  digest: ({ name }, data) =>
    Effect.sync(() => new Uint8Array(createHash(name).update(data).digest())),
  // Synchronous, because every request hashes its key.
  digestHex: ({ name }, data) => Effect.succeed(hash(name, data, "hex"))
})
