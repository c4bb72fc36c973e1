/** How a caller is turned away before an operation starts. */
import * as Data from "effect/Data"
import type { KeyKind } from "./ApiKey.ts"

/**
 * `missing_key`: no key, or a malformed header. `unknown_key`: nobody issued it, or it is disabled or
 * expired. `management_key`: the operation treats management keys as unknown.
 */
export class Unauthenticated extends Data.TaggedError("Unauthenticated")<{
  readonly reason: "missing_key" | "unknown_key" | "management_key"
}> {}

/** A valid key of a kind that may not do this; `needs` names what may. */
export class NotPermitted extends Data.TaggedError("NotPermitted")<{
  readonly kind: KeyKind | "host"
  readonly needs:
    | "a management key"
    | "a management key of the host's own account"
    | "a member or organization key"
    | "a key of a workspace"
}> {}

/** The host put a caller into a workspace that its account does not have. */
export class WorkspaceNotFound extends Data.TaggedError("WorkspaceNotFound")<{
  readonly account: string
  /** As the host wrote it. */
  readonly workspace: string
}> {
  override get message(): string {
    return `the account ${JSON.stringify(this.account)} has no workspace ${JSON.stringify(this.workspace)}`
  }
}

/** The key made more requests than its window allows. */
export class RateLimited extends Data.TaggedError("RateLimited")<{
  readonly limit: number
  readonly retryAfterMillis: number
  /** When the window is over, in milliseconds since the epoch. */
  readonly resetAt: number
}> {}

/** Whatever counts for several processes does not answer; `problem` says why, without secrets. */
export class RateLimitsUnavailable extends Data.TaggedError("RateLimitsUnavailable")<{
  readonly problem: string
}> {}
