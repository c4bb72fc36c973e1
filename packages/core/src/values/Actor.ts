/** The author of a change. */
import type { AccountId, KeyHash, UserId } from "./ids/Ids.ts"

/** The author of a change. */
export interface Actor {
  readonly account: AccountId
  readonly user?: UserId
  /** Absent for the application itself. */
  readonly keyHash?: KeyHash
}
