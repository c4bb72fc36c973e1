/** A customer's credential with its sealed secret. */
import * as Schema from "effect/Schema"
import { SealedSecret } from "../../engine/secrets/SealedSecret.ts"
import { Credential, RefusalRecord } from "./Credential.ts"

/** A credential as a store keeps it. */
export const SealedCredential = Schema.Struct({
  credential: Credential,
  sealed: SealedSecret,
  /** The last refusal by an upstream since the secret was last changed. */
  refusal: Schema.optionalKey(RefusalRecord)
})
export type SealedCredential = typeof SealedCredential.Type
