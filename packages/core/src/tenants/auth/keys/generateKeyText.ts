/** The text of a new API key, which is shown once: `sk-sb-v1-` and 64 hexadecimal digits. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"

export const generateKeyText: Effect.Effect<Redacted.Redacted> = Effect.sync(() =>
  Redacted.make(`sk-sb-v1-${Hex.encode(SecureRandom.randomBytesUnsafe(32))}`, { label: "api key" })
)
