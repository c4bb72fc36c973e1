/** Vaults: one per workspace, which always exists, and a private one per intern. */
import type { AccountId } from "../values/ids/AccountId.ts"
import type { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import type { VaultId } from "./VaultId.ts"

/** A vault: that of a workspace, or the private one of an intern. */
export interface Vault {
  readonly id: VaultId
  readonly account: AccountId
  readonly workspace: WorkspaceId
  /** The id of the intern that owns the vault; null for the vault of the workspace. */
  readonly intern: string | null
}
