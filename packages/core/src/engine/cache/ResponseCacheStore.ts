/** Keeps answers, so that later requests that are the same need no provider. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId, KeyHash, UserId, WorkspaceId } from "../../values/ids/Ids.ts"

/** Whose request an answer was stored for. */
export interface CachedAnswerOwner {
  readonly account: AccountId
  readonly workspace: WorkspaceId
  readonly keyHash?: KeyHash
  /** The acting user. */
  readonly user?: UserId
  /** The `user` of the request. */
  readonly externalUser?: string
}

/** Selects answers by their owner: every given field must be the same. */
export type CachedAnswerFilter = Pick<CachedAnswerOwner, "account"> &
  Partial<Omit<CachedAnswerOwner, "account">>

/** An answer to store under its key, in place of the one that is there. */
export interface NewCachedAnswer {
  /** Unguessable without the request that it identifies, in letters, digits, `-` and `_`. */
  readonly key: string
  readonly owner: CachedAnswerOwner
  /** What `find` returns, which the store does not look into. */
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  readonly now: number
  /** How many bytes the answers of the workspace may have together: others of the workspace make room. */
  readonly maxBytes: number
}

/**
 * A store may lose answers at any time, but never returns one under another key, or after it expired or was removed.
 *
 * Race: of concurrent calls of `put` with one key, one answer stays. A `removeAll` that begins after a `put` has ended removes
 * its answer.
 */
export class ResponseCacheStore extends Context.Service<
  ResponseCacheStore,
  {
    readonly find: (key: string, now: number) => Effect.Effect<string | undefined>
    readonly put: (answer: NewCachedAnswer) => Effect.Effect<void>
    readonly remove: (key: string) => Effect.Effect<void>
    /** Returns how many it removed. */
    readonly removeAll: (filter: CachedAnswerFilter) => Effect.Effect<number>
  }
>()("@signalbox/core/engine/cache/ResponseCacheStore") {}
