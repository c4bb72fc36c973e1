/** A credential that one request may use. */
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { UnsealFailed } from "../../engine/secrets/Sealer.ts"
import type { Credential } from "./Credential.ts"

/** A credential that a request may use. */
export interface UsableCredential {
  readonly credential: Credential
  /** The ids of the requested models it applies to; empty when it only excludes shared capacity. */
  readonly models: ReadonlySet<string>
  /** Unseals the secret on demand, once: later reads have their result already. */
  readonly secret: Effect.Effect<Redacted.Redacted, UnsealFailed>
  /** Records that an upstream refused it. Never fails. */
  readonly reportRefusal: (refusal: CredentialRefusal) => Effect.Effect<void>
}

/** How an upstream refused a credential. */
export interface CredentialRefusal {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly kind: string
  readonly status: number | undefined
}
