/** Encrypts secrets that are used again, so that a store is useless without the host's keys. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"

/** The host's keys: the current one seals new secrets, and every one opens secrets. */
export interface SealingKeys {
  readonly current: string
  /** By id; each has at least 32 unguessable characters. */
  readonly keys: Readonly<Record<string, string | Redacted.Redacted>>
}

/** The host configured no keys, so nothing can be sealed. */
export class SealingKeysMissing extends Data.TaggedError("SealingKeysMissing") {}

/** The secret was sealed under a removed key or for another place, or it was altered. */
export class UnsealFailed extends Data.TaggedError("UnsealFailed")<{ readonly keyId: string }> {}

/** Seals and opens secrets with the keys of the host. */
export class Sealer extends Context.Service<
  Sealer,
  {
    /** The id of the key that seals; undefined without keys. */
    readonly currentKeyId: string | undefined
    /** `context` says where the secret is stored; it opens only with the same context. */
    readonly seal: (
      secret: Redacted.Redacted,
      context: ReadonlyArray<string>
    ) => Effect.Effect<SealedSecret, SealingKeysMissing>
    readonly unseal: (
      sealed: SealedSecret,
      context: ReadonlyArray<string>
    ) => Effect.Effect<Redacted.Redacted, UnsealFailed>
  }
>()("@signalbox/core/engine/secrets/Sealer") {
  /** Dies with a `RangeError` when the keys are invalid. */
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

/** A sealed secret: AES-256-GCM, under a key derived from the host's by HKDF-SHA-256. */
export const SealedSecret = Schema.Struct({
  /** The id of the host's key that opens it. */
  keyId: Schema.String,
  /** Nonce, ciphertext and tag in base64url. */
  ciphertext: Schema.String
})
export type SealedSecret = typeof SealedSecret.Type

/** `path` leads to the secret in the request. */
export const toSealingProblem =
  (path: ReadonlyArray<string>, problem = "cannot be kept") =>
  (): InvalidRequest =>
    new InvalidRequest({
      path,
      problem: `${problem}: this service has no key to seal it with; set the option \`sealing\``
    })
