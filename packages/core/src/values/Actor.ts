/** On whose behalf something is done: what services below the door know of a caller. */
import type { AccountId } from "./ids/AccountId.ts"
import type { KeyHash } from "./ids/KeyHash.ts"
import type { UserId } from "./ids/UserId.ts"

/** Who changes something. */
export interface Actor {
  readonly account: AccountId
  readonly user?: UserId
  /** Absent for the application itself. */
  readonly keyHash?: KeyHash
}
