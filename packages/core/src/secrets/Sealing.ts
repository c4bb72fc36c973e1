/** Seals secrets that have to be used again, so that what is kept is of no use without the host's keys. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"

/** A sealed secret: AES-256-GCM, under a key derived from the host's by HKDF-SHA-256. */
export interface Sealed {
  /** Which of the host's keys opens it. */
  readonly keyId: string
  /** Nonce, ciphertext and tag in base64url. */
  readonly box: string
}

/** The host's keys: new secrets are sealed under the current one, all of them open. */
export interface SealingKeys {
  readonly current: string
  /** By id; each of at least 32 characters that nobody can guess. */
  readonly keys: Readonly<Record<string, string | Redacted.Redacted>>
}

/** The host gave no keys, so that nothing can be sealed. */
export class CannotSeal extends Data.TaggedError("CannotSeal") {}

/** Sealed under a key that is not there any more, for another place, or altered. */
export class CannotOpen extends Data.TaggedError("CannotOpen")<{ readonly keyId: string }> {}

/** Seals and opens secrets with the keys of the host. */
export class Sealing extends Context.Service<
  Sealing,
  {
    /** The id of the key that seals; undefined without keys. */
    readonly current: string | undefined
    /** `place` is where it is kept: nowhere else does it open. */
    readonly seal: (
      secret: Redacted.Redacted,
      place: ReadonlyArray<string>
    ) => Effect.Effect<Sealed, CannotSeal>
    readonly open: (
      sealed: Sealed,
      place: ReadonlyArray<string>
    ) => Effect.Effect<Redacted.Redacted, CannotOpen>
  }
>()("@signalbox/core/secrets/Sealing") {
  /** Dies with a `RangeError` that says what to mend when the keys make no sense. */
  static readonly layer = (stated: SealingKeys | undefined): Layer.Layer<Sealing> =>
    stated === undefined
      ? Layer.succeed(Sealing, sealsNothing)
      : Layer.unwrap(
          Effect.map(
            Effect.promise(() => import("./sealWithKeys.ts")),
            ({ sealWithKeys }) => Layer.effect(Sealing, sealWithKeys(stated))
          )
        )
}

const sealsNothing: Sealing["Service"] = {
  current: undefined,
  seal: () => Effect.fail(new CannotSeal()),
  open: ({ keyId }) => Effect.fail(new CannotOpen({ keyId }))
}
