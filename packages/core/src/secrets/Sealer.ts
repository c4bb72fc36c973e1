/** Seals secrets that have to be used again, so that what is kept is of no use without the host's keys. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"

/** A sealed secret: AES-256-GCM, under a key derived from the host's by HKDF-SHA-256. */
export interface SealedSecret {
  /** Which of the host's keys opens it. */
  readonly keyId: string
  /** Nonce, ciphertext and tag in base64url. */
  readonly ciphertext: string
}

/** The host's keys: new secrets are sealed under the current one, all of them open. */
export interface SealingKeys {
  readonly current: string
  /** By id; each of at least 32 characters that nobody can guess. */
  readonly keys: Readonly<Record<string, string | Redacted.Redacted>>
}

/** The host gave no keys, so that nothing can be sealed. */
export class SealingKeysMissing extends Data.TaggedError("SealingKeysMissing") {}

/** Sealed under a key that is not there any more, for another place, or altered. */
export class UnsealFailed extends Data.TaggedError("UnsealFailed")<{ readonly keyId: string }> {}

/** Seals and opens secrets with the keys of the host. */
export class Sealer extends Context.Service<
  Sealer,
  {
    /** The id of the key that seals; undefined without keys. */
    readonly currentKeyId: string | undefined
    /** `place` is where it is kept: nowhere else does it open. */
    readonly seal: (
      secret: Redacted.Redacted,
      context: ReadonlyArray<string>
    ) => Effect.Effect<SealedSecret, SealingKeysMissing>
    readonly unseal: (
      sealed: SealedSecret,
      context: ReadonlyArray<string>
    ) => Effect.Effect<Redacted.Redacted, UnsealFailed>
  }
>()("@signalbox/core/secrets/Sealer") {
  /** Dies with a `RangeError` that says what to mend when the keys make no sense. */
  static readonly layer = (sealingKeys: SealingKeys | undefined): Layer.Layer<Sealer> =>
    sealingKeys === undefined
      ? Layer.succeed(Sealer, unavailableSealer)
      : Layer.unwrap(
          Effect.map(
            Effect.promise(() => import("./makeSealer.ts")),
            ({ makeSealer }) => Layer.effect(Sealer, makeSealer(sealingKeys))
          )
        )
}

const unavailableSealer: Sealer["Service"] = {
  currentKeyId: undefined,
  seal: () => Effect.fail(new SealingKeysMissing()),
  unseal: ({ keyId }) => Effect.fail(new UnsealFailed({ keyId }))
}
