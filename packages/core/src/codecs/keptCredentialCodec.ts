/** A customer's own credential, to JSON and back. */
import * as Schema from "effect/Schema"
import { Credential, Refused } from "../byok/Credential.ts"
import type { KeptCredential } from "../byok/KeptCredential.ts"
import type { FieldsOf } from "./fieldsOf.ts"
import { Sealed } from "./Sealed.ts"

/** A customer's own credential, sealed, to JSON and back. */
export const keptCredentialCodec: Schema.Codec<KeptCredential, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    credential: Credential,
    sealed: Sealed,
    refused: Schema.optionalKey(Refused)
  } satisfies FieldsOf<KeptCredential>)
)
