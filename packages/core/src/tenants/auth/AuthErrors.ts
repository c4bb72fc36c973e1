/** Errors of authentication and rate limits. */
import * as Data from "effect/Data"
import type { KeyKind } from "./keys/ApiKey.ts"

/**
 * `missing_key`: no key, or a malformed header. `unknown_key`: the key does not exist, is disabled or has expired.
 * `management_key`: the operation treats management keys as unknown.
 */
export class Unauthenticated extends Data.TaggedError("Unauthenticated")<{
  readonly reason: "missing_key" | "unknown_key" | "management_key"
}> {}

/** The key is valid, but its kind is not allowed; `needs` names the allowed kinds. */
export class NotPermitted extends Data.TaggedError("NotPermitted")<{
  readonly kind: KeyKind | "host"
  readonly needs:
    | "a management key"
    | "a management key of the host's own account"
    | "a management key for a weight above 1"
    | "a management key for the Decision of another caller"
    | "a member or organization key"
    | "a key of a workspace"
}> {}

/**
 * A page of another origin may have made a browser send the request: it has no token, which a page would have to add.
 * `origin` is that of the page; undefined if the browser does not name it.
 */
export class CrossOriginRequest extends Data.TaggedError("CrossOriginRequest")<{
  readonly origin: string | undefined
}> {}

/** The host named a workspace that the account does not have. */
export class WorkspaceNotFound extends Data.TaggedError("WorkspaceNotFound")<{
  readonly account: string
  /** The id or slug from the host. */
  readonly workspace: string
}> {
  override get message(): string {
    return `the account ${JSON.stringify(this.account)} has no workspace ${JSON.stringify(this.workspace)}`
  }
}

/** The host has suspended the customer of the caller. */
export class CustomerSuspended extends Data.TaggedError("CustomerSuspended")<{
  /** The slug of the customer. */
  readonly customer: string
  /** What the host tells it; null: nothing. */
  readonly reason: string | null
}> {}

/** The bundle of the customer is not among those of this process, whose code is older or newer than that of another one. */
export class BundleUnknown extends Data.TaggedError("BundleUnknown")<{
  readonly bundle: string
}> {}

/** Why a customer gets no answers. */
export type CustomerRefused = BundleUnknown | CustomerSuspended

/** Why a request has no caller. */
export type AuthenticationError =
  | CrossOriginRequest
  | CustomerRefused
  | Unauthenticated
  | WorkspaceNotFound

/** The key made more requests than its window allows, used more tokens, or runs too many requests in parallel. */
export class RateLimited extends Data.TaggedError("RateLimited")<{
  /** Whose requests are counted; absent: those of the key, or of the user. */
  readonly holder?: "account" | "customer"
  readonly limit: number
  readonly retryAfterMillis: number
  /** When the window ends, in milliseconds since the epoch. */
  readonly resetAt: number
  /** What `limit` counts; absent: the requests of a window. */
  readonly counts?: "slots" | "tokens"
}> {}

/** The shared store of rate limits is unavailable; `problem` says why, without secrets. */
export class RateLimitsUnavailable extends Data.TaggedError("RateLimitsUnavailable")<{
  readonly problem: string
}> {}
