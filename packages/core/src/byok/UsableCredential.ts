/** A credential as one request may use it. */
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { UnsealFailed } from "../secrets/Sealer.ts"
import type { Credential } from "./Credential.ts"

/** A credential that a request may run on; its secret opens when it is asked for. */
export interface UsableCredential {
  readonly credential: Credential
  /** The ids of those models of the request it is used for; none for one that only bars shared capacity. */
  readonly models: ReadonlySet<string>
  /** Opened when it is needed and not before. */
  readonly secret: Effect.Effect<Redacted.Redacted, UnsealFailed>
  /** Tells its owner that an upstream refused it. Never fails. */
  readonly reportRefusal: (refusal: CredentialRefusal) => Effect.Effect<void>
}

/** How an upstream refused a credential. */
export interface CredentialRefusal {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly kind: string
  readonly status: number | undefined
}
