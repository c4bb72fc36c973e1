/** A secret that only the keys of the host open. */
import * as Schema from "effect/Schema"

/** A sealed secret: AES-256-GCM, under a key derived from the host's by HKDF-SHA-256. */
export const SealedSecret = Schema.Struct({
  /** The id of the host's key that opens it. */
  keyId: Schema.String,
  /** Nonce, ciphertext and tag in base64url. */
  ciphertext: Schema.String
})
export type SealedSecret = typeof SealedSecret.Type
