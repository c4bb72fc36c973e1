/** Seals with AES-256-GCM under keys that HKDF-SHA-256 derives from the host's. */
import * as Aead from "effect/crypto/Aead"
import * as Kdf from "effect/crypto/Kdf"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import {
  type SealedSecret,
  type Sealer,
  type SealingKeys,
  SealingKeysMissing,
  UnsealFailed
} from "./Sealer.ts"

/** Dies with a `RangeError` when the keys are invalid. */
export const makeSealer = (sealingKeys: SealingKeys): Effect.Effect<Sealer["Service"]> =>
  Effect.provide(
    Effect.gen(function* () {
      const aead = yield* Aead.Aead
      const random = yield* SecureRandom.SecureRandom
      const keys = yield* deriveKeys(sealingKeys)
      const current = sealingKeys.current

      const seal = Effect.fnUntraced(function* (
        secret: Redacted.Redacted,
        context: ReadonlyArray<string>
      ) {
        const key = keys.get(current)
        if (key === undefined) return yield* new SealingKeysMissing()
        const nonce = yield* Effect.orDie(random.randomBytes(nonceLength))
        const text = encoder.encode(Redacted.value(secret))
        const sealed = yield* Effect.orDie(aead.encrypt(key, text, { nonce, aad: toAad(context) }))
        const sealedBytes = new Uint8Array(nonceLength + sealed.length)
        sealedBytes.set(nonce)
        sealedBytes.set(sealed, nonceLength)
        return { keyId: current, ciphertext: Base64Url.encode(sealedBytes) }
      })

      const unseal = Effect.fnUntraced(function* (
        { ciphertext, keyId }: SealedSecret,
        context: ReadonlyArray<string>
      ) {
        const key = keys.get(keyId)
        const bytes = Result.getOrUndefined(Base64Url.decode(ciphertext))
        if (key === undefined || bytes === undefined || bytes.length < nonceLength) {
          return yield* new UnsealFailed({ keyId })
        }
        const text = yield* Effect.mapError(
          aead.decrypt(key, bytes.subarray(nonceLength), {
            nonce: bytes.subarray(0, nonceLength),
            aad: toAad(context)
          }),
          () => new UnsealFailed({ keyId })
        )
        return Redacted.make(decoder.decode(text))
      })

      return { currentKeyId: current, seal, unseal }
    }),
    webCrypto
  )

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Random nonces are safe for 2^32 seals under one key (https://doi.org/10.6028/NIST.SP.800-38D, section 8.3): far more than there
 * are credentials, but each kept content and each cached answer is a seal, so docs/guides/keep-content.md tells hosts when to rotate.
 */
const algorithm = Aead.aes256Gcm
const nonceLength = algorithm.nonceLength

/** Encodes the context as JSON, so that different contexts never encode alike. */
const toAad = (context: ReadonlyArray<string>): Uint8Array =>
  encoder.encode(JSON.stringify(context))

const deriveKeys = Effect.fnUntraced(function* (sealingKeys: SealingKeys) {
  const keys = new Map<string, Aead.Key>()
  const kdf = yield* Kdf.Kdf
  if (!Predicate.isObject(sealingKeys.keys)) {
    throw new RangeError("sealing.keys must be an object of keys by their ids")
  }
  for (const [id, value] of Object.entries(sealingKeys.keys)) {
    const secret = Redacted.isRedacted(value) ? Redacted.value(value) : value
    if (typeof secret !== "string" || secret.length < minKeyCharacters) {
      throw new RangeError(
        `sealing.keys.${id} has fewer than ${minKeyCharacters} characters; is the variable that holds it set?`
      )
    }
    const derived = yield* Effect.orDie(
      kdf.derive(Kdf.hkdfSha256, encoder.encode(secret), {
        salt: encoder.encode("signalbox"),
        info: encoder.encode("sealed secrets"),
        length: algorithm.keyLength
      })
    )
    keys.set(id, yield* Effect.orDie(Aead.key(algorithm, derived)))
  }
  if (!keys.has(sealingKeys.current)) {
    throw new RangeError(
      `sealing.current is "${sealingKeys.current}", which is not in sealing.keys`
    )
  }
  return keys
})

const minKeyCharacters = 32

const webCrypto = Layer.mergeAll(
  Aead.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto)),
  SecureRandom.layerWebCrypto,
  Kdf.layerWebCrypto
)
