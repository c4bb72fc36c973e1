/** A vault, to JSON and back. */
import * as Schema from "effect/Schema"
import { AccountId } from "../values/ids/AccountId.ts"
import { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import type { Vault } from "../vaults/Vault.ts"
import { VaultId } from "../vaults/VaultId.ts"
import { type FieldsOf, nullableText } from "./codecFields.ts"

/** A vault to JSON and back. */
export const vaultCodec: Schema.Codec<Vault, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    id: VaultId,
    account: AccountId,
    workspace: WorkspaceId,
    intern: nullableText
  } satisfies FieldsOf<Vault>)
)
