/** Who asks: what every operation gets to know of the request's origin. */
import type { KeyHash } from "../values/ids/KeyHash.ts"
import { type AccountId, defaultAccountId } from "../values/ids/AccountId.ts"
import type { UserId } from "../values/ids/UserId.ts"
import { defaultWorkspaceId, type WorkspaceId } from "../values/ids/WorkspaceId.ts"
import type { KeyKind, KeyRateLimit } from "./ApiKey.ts"
import type { KeyLimit } from "./KeyLimit.ts"

/** A caller whose ids are checked and whose workspace was found: made of a key, or of what a host writes (`CallerConfig.ts`). */
export interface Caller {
  readonly account: AccountId
  readonly workspace: WorkspaceId
  /** `hostCaller` is the application itself, calling in process. */
  readonly kind: KeyKind | "host"
  /** Whether it administers the account like a management key, whatever its kind. */
  readonly canManage?: true
  /** The member it acts for: their spending and rate are counted apart, and what they make is theirs. */
  readonly user?: UserId
  /** Names the key. Absent for the host and for callers a host's own `Authenticator` lets in. */
  readonly keyHash?: KeyHash
  /**
   * What the key may spend, or, without one, the user in this workspace, or, without either, all such
   * callers of the workspace together; absent: as much as the account has.
   */
  readonly limit?: KeyLimit
  /** How often it may call, in place of `Settings.rateLimit`. */
  readonly rateLimit?: KeyRateLimit
  /** How often it may call at most, whatever the host allows: set by whoever manages the key. */
  readonly ownRateLimit?: KeyRateLimit
}

/** The application calling in process, without a key. */
export const hostCaller: Caller = {
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  kind: "host"
}
