/** A key that opens the door: what is kept of it, never the key itself. */
import type { KeyHash } from "../values/KeyHash.ts"
import type { AccountId } from "../values/AccountId.ts"
import type { UserId } from "../values/UserId.ts"
import type { WorkspaceId } from "../values/WorkspaceId.ts"

/**
 * `member` keys act for one user, `organization` keys for the organization as a whole, `management`
 * keys administer and run no models.
 */
export type KeyKind = "member" | "management" | "organization"

export interface ApiKey {
  readonly hash: KeyHash
  readonly account: AccountId
  readonly workspace: WorkspaceId
  readonly kind: KeyKind
  /** The member a `member` key acts for. */
  readonly user?: UserId
  readonly name: string
  /** The masked key. */
  readonly label: string
}
