/** A vault, to JSON and back. */
import * as Schema from "effect/Schema"
import { AccountId } from "../values/AccountId.ts"
import { WorkspaceId } from "../values/WorkspaceId.ts"
import type { Vault } from "../vaults/Vault.ts"
import { VaultId } from "../vaults/VaultId.ts"
import { type FieldsOf, textOrNull } from "./fieldsOf.ts"

/** A vault to JSON and back. */
export const vaultCodec: Schema.Codec<Vault, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    id: VaultId,
    account: AccountId,
    workspace: WorkspaceId,
    intern: textOrNull
  } satisfies FieldsOf<Vault>)
)
