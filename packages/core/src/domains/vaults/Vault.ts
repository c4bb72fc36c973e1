/** Vaults: one per workspace, which always exists, and a private one per intern. */
import * as Schema from "effect/Schema"
import { AccountId } from "../../values/ids/AccountId.ts"
import { WorkspaceId } from "../../values/ids/WorkspaceId.ts"
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
