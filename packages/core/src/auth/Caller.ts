/** Who asks: what every operation gets to know of the request's origin. */
import type { KeyHash } from "../values/KeyHash.ts"
import { type AccountId, defaultAccountId } from "../values/AccountId.ts"
import type { UserId } from "../values/UserId.ts"
import { defaultWorkspaceId, type WorkspaceId } from "../values/WorkspaceId.ts"
import type { KeyKind } from "./ApiKey.ts"

export interface Caller {
  readonly account: AccountId
  readonly workspace: WorkspaceId
  /** `host` is the application itself, calling in process. */
  readonly kind: KeyKind | "host"
  readonly user?: UserId
  /** Absent for the host and for callers a host's own `Authenticator` lets in. */
  readonly keyHash?: KeyHash
}

/** The application calling in process, without a key. */
export const host: Caller = {
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  kind: "host"
}
