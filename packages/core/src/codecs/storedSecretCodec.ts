/** A secret of a vault, to JSON and back. */
import * as Schema from "effect/Schema"
import { type StoredSecret, Secret } from "../vaults/Secret.ts"
import type { FieldsOf } from "./codecFields.ts"
import { Sealed } from "./Sealed.ts"

/** A secret of a vault, sealed, to JSON and back. */
export const storedSecretCodec: Schema.Codec<StoredSecret, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({ ...Secret.fields, sealed: Sealed } satisfies FieldsOf<StoredSecret>)
)
