/** A customer's own credential as it is kept, its secret sealed. */
import type { SealedSecret } from "../secrets/Sealer.ts"
import type { Credential, RefusalRecord } from "./Credential.ts"

/** A credential as a store keeps it. */
export interface SealedCredential {
  readonly credential: Credential
  readonly sealed: SealedSecret
  /** The last time an upstream refused it; none since its secret was last changed. */
  readonly refusal?: RefusalRecord
}
