/** A sealed secret, as a schema. */
import * as Schema from "effect/Schema"
import type { Sealed as SealedSecret } from "../secrets/Sealing.ts"
import type { FieldsOf } from "./fieldsOf.ts"

export const Sealed = Schema.Struct({
  keyId: Schema.String,
  box: Schema.String
} satisfies FieldsOf<SealedSecret>)
