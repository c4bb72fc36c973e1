/** A secret of a vault, to JSON and back. */
import * as Schema from "effect/Schema"
import { type KeptSecret, Secret } from "../vaults/Secret.ts"
import type { FieldsOf } from "./fieldsOf.ts"
import { Sealed } from "./Sealed.ts"

/** A secret of a vault, sealed, to JSON and back. */
export const keptSecretCodec: Schema.Codec<KeptSecret, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({ ...Secret.fields, sealed: Sealed } satisfies FieldsOf<KeptSecret>)
)
