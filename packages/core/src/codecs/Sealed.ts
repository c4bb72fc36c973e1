/** A sealed secret, as a schema. */
import * as Schema from "effect/Schema"
import type { SealedSecret } from "../secrets/Sealer.ts"
import type { FieldsOf } from "./codecFields.ts"

export const Sealed = Schema.Struct({
  keyId: Schema.String,
  ciphertext: Schema.String
} satisfies FieldsOf<SealedSecret>)
