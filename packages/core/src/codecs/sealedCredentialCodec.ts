/** A customer's own credential, to JSON and back. */
import * as Schema from "effect/Schema"
import { Credential, RefusalRecord } from "../byok/Credential.ts"
import type { SealedCredential } from "../byok/SealedCredential.ts"
import type { FieldsOf } from "./codecFields.ts"
import { Sealed } from "./Sealed.ts"

/** A customer's own credential, sealed, to JSON and back. */
export const sealedCredentialCodec: Schema.Codec<SealedCredential, Schema.Json> =
  Schema.toCodecJson(
    Schema.Struct({
      credential: Credential,
      sealed: Sealed,
      refusal: Schema.optionalKey(RefusalRecord)
    } satisfies FieldsOf<SealedCredential>)
  )
