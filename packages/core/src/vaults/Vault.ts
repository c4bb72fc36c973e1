/** A place for secrets: a workspace's own, which is always there, or that of one intern. */
import type { AccountId } from "../values/ids/AccountId.ts"
import type { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import type { VaultId } from "./VaultId.ts"

/** A vault: that of a workspace, or the private one of an intern. */
export interface Vault {
  readonly id: VaultId
  readonly account: AccountId
  readonly workspace: WorkspaceId
  /** The id of the intern whose private vault it is; null: the workspace's own. */
  readonly intern: string | null
}
