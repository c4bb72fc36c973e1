/** Vaults: one per workspace, which always exists, and a private one per intern. */
import * as Data from "effect/Data"
import * as Schema from "effect/Schema"
import { AccountId, WorkspaceId } from "../../values/ids/Ids.ts"
import { VaultId } from "./VaultId.ts"

/** A vault: shared by a workspace, or private to an intern. */
export const Vault = Schema.Struct({
  id: VaultId,
  account: AccountId,
  workspace: WorkspaceId,
  /** The id of the intern that owns the vault; null for the vault of the workspace. */
  intern: Schema.NullOr(Schema.String)
})
export type Vault = typeof Vault.Type

/** The vault is closed, because its owner is being deleted. */
export class VaultClosed extends Data.TaggedError("VaultClosed")<{}> {}

/** A secret without hosts cannot be copied. */
export class SecretUnbound extends Data.TaggedError("SecretUnbound")<{
  readonly name: string
}> {}

/** A stored secret cannot be unsealed: its sealing key is missing, or the row was altered. */
export class SecretUnreadable extends Data.TaggedError("SecretUnreadable")<{
  readonly name: string
  /** The id of the sealing key. */
  readonly sealedUnder: string
}> {}
