/** A customer's own credential as it is kept, its secret sealed. */
import type { Sealed } from "../secrets/Sealing.ts"
import type { Credential, Refused } from "./Credential.ts"

/** A credential as a store keeps it. */
export interface KeptCredential {
  readonly credential: Credential
  readonly sealed: Sealed
  /** The last time an upstream refused it; none since its secret was last changed. */
  readonly refused?: Refused
}
