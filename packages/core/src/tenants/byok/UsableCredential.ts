/** A credential that one request may use. */
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SealedSecret, type UnsealFailed } from "../../engine/secrets/Sealer.ts"
import type { Caller } from "../auth/Caller.ts"
import { Credential, RefusalRecord } from "./Credential.ts"

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

/** A credential as a store keeps it. */
export const SealedCredential = Schema.Struct({
  credential: Credential,
  sealed: SealedSecret,
  /** The last refusal by an upstream since the secret was last changed. */
  refusal: Schema.optionalKey(RefusalRecord)
})
export type SealedCredential = typeof SealedCredential.Type

/** A caller without a key or user matches no allow list of keys or users. */
export const appliesTo = (
  { allowed_api_key_hashes, allowed_user_ids, disabled, workspace_id }: Credential,
  { keyHash, user, workspace }: Pick<Caller, "keyHash" | "user" | "workspace">
): boolean =>
  !disabled &&
  (workspace_id === null || workspace_id === workspace) &&
  isAllowed(allowed_api_key_hashes, keyHash) &&
  isAllowed(allowed_user_ids, user)

const isAllowed = (list: ReadonlyArray<string> | null, value: string | undefined): boolean =>
  list === null || (value !== undefined && list.includes(value))
