/** Generates the secret of an API key: `sk-sb-v1-` and 64 hexadecimal digits of secure randomness. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"

export const generateSecret: Effect.Effect<Redacted.Redacted> = Effect.sync(() =>
  Redacted.make(`sk-sb-v1-${Hex.encode(SecureRandom.randomBytesUnsafe(32))}`, { label: "api key" })
)
