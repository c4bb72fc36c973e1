/** The author of a change. */
import type { AccountId } from "./ids/AccountId.ts"
import type { KeyHash } from "./ids/KeyHash.ts"
import type { UserId } from "./ids/UserId.ts"

/** The author of a change. */
export interface Actor {
  readonly account: AccountId
  readonly user?: UserId
  /** Absent for the application itself. */
  readonly keyHash?: KeyHash
}
