/** The caller of a request, as every operation receives it. */
import {
  type AccountId,
  type KeyHash,
  type UserId,
  type WorkspaceId,
  defaultAccountId,
  defaultWorkspaceId
} from "../../values/ids/Ids.ts"
import type { Tags } from "../../values/Tags.ts"
import type { Bundle } from "./bundles/Bundle.ts"
import type { KeyKind, KeyRateLimit, TokenRateLimit } from "./keys/ApiKey.ts"
import type { GrantedLimit, KeyLimit } from "./keys/KeyLimit.ts"

/** A caller with validated ids and an existing workspace, made from a key or from a `CallerConfig`. */
export interface Caller {
  readonly account: AccountId
  readonly workspace: WorkspaceId
  /** `host` is the application itself, calling in process. */
  readonly kind: KeyKind | "host"
  /** Whether it administers the account like a management key, although its kind is another one. */
  readonly canManage?: true
  /** The acting user: the member it acts for, who owns what it creates; spending and rate are counted per member. */
  readonly user?: UserId
  /** Stored with its requests, which they filter and group. */
  readonly tags?: Tags
  /** Names the key. Absent for the application, and for callers that a host authenticates without a key. */
  readonly keyHash?: KeyHash
  /**
   * The spend limit of the key; without a key, of the user in this workspace; without either, of all such callers of
   * the workspace together. Absent: the credits of the account are the only limit.
   */
  readonly limit?: KeyLimit
  /** The limit of who consented to its key, under which its spending counts, too; absent: there is none. */
  readonly grantedLimit?: GrantedLimit
  /** Whose requests and its own are counted together by rate limits: those of who consented to its key. */
  readonly rateOwner?: string
  /** The rate limit of the host, in place of `Settings.rateLimit`. */
  readonly rateLimit?: KeyRateLimit
  /** The rate limit set by key management; applies in addition to the host's. */
  readonly ownRateLimit?: KeyRateLimit
  /** How many tokens it may use, as the host says, in place of `Settings.tokenRateLimit`. */
  readonly tokenRateLimit?: TokenRateLimit
  /** The same set by key management; applies in addition to the host's. */
  readonly ownTokenRateLimit?: TokenRateLimit
  /** How many requests it may run in parallel, as the host says, in place of `Settings.maxParallelRequests`. */
  readonly maxParallelRequests?: number
  /** The same set by key management; applies in addition to the host's. */
  readonly ownMaxParallelRequests?: number
  /** What its workspace may, if that is the workspace of a customer. */
  readonly bundle?: Bundle
}

/** The application calling in process, without a key. */
export const hostCaller: Caller = {
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  kind: "host"
}

/** A caller of a public operation, which reads no account's resources. */
export const anonymousCaller: Caller = {
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  kind: "member"
}

/**
 * The rate limits that apply to a caller, all of them at once. `common` applies to callers without a limit of the
 * host.
 */
export const listRateLimits = (
  { ownRateLimit, rateLimit }: Pick<Caller, "ownRateLimit" | "rateLimit">,
  common: KeyRateLimit | undefined
): ReadonlyArray<KeyRateLimit> => combineLimits(ownRateLimit, rateLimit ?? common, toRequests)

const toRequests = ({ requests }: KeyRateLimit): number => requests

/**
 * All limits that apply at once, those of the host and those of key management, which can only tighten them. Limits
 * with the same window share one counter, so only the stricter one applies.
 */
export const combineLimits = <A extends { readonly windowMillis: number }>(
  own: A | undefined,
  ofHost: A | undefined,
  toAmount: (limit: A) => number
): ReadonlyArray<A> => {
  if (own === undefined) return ofHost === undefined ? noLimits : [ofHost]
  if (ofHost === undefined) return [own]
  if (own.windowMillis !== ofHost.windowMillis) return [own, ofHost]
  return [toAmount(ofHost) < toAmount(own) ? ofHost : own]
}

const noLimits: ReadonlyArray<never> = []
