/** Where API keys are kept, and found by what opens them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../values/ids/AccountId.ts"
import type { KeyHash } from "../values/ids/KeyHash.ts"
import { type OffsetRequest, type OffsetPage } from "../values/pages/OffsetPage.ts"
import type { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import type { ApiKey } from "./ApiKey.ts"

/** Which keys of an account are listed. */
export interface KeyFilter {
  /** Absent: of all workspaces. */
  readonly workspace?: WorkspaceId
  readonly includeDisabled: boolean
}

/**
 * A key has a `hash` that names it, and is opened by the secrets whose hashes are its `secret_hash` and
 * its `former_secret`. Whether they open it at a moment is not for the store to say.
 *
 * Races: changes of one key made at once are all kept, one after the other; what was removed is not
 * brought back by a change that was under way.
 */
export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  {
    /** The key that a secret with this hash opens; hashes are compared in constant time. */
    readonly findBySecretHash: (secret: KeyHash) => Effect.Effect<ApiKey | undefined>
    /** By the hash that names it. */
    readonly find: (account: AccountId, hash: KeyHash) => Effect.Effect<ApiKey | undefined>
    /** Oldest first. */
    readonly list: (
      account: AccountId,
      filter: KeyFilter,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<ApiKey>>
    /** See `CountResources`. */
    readonly count: (account: AccountId, workspace?: string) => Effect.Effect<number>
    /** Adds a key, or replaces the one with the same hash. */
    readonly put: (key: ApiKey) => Effect.Effect<void>
    /**
     * Adds the key unless there is one of this hash or ever was: what was changed stays so, and what was
     * removed does not come back. Race: of many at once one adds it.
     */
    readonly ensure: (key: ApiKey) => Effect.Effect<void>
    /** What `change`, which leaves the secrets alone, makes of it; undefined when there is none. */
    readonly update: (
      account: AccountId,
      hash: KeyHash,
      change: (key: ApiKey) => ApiKey
    ) => Effect.Effect<ApiKey | undefined>
    /** What was there. */
    readonly remove: (account: AccountId, hash: KeyHash) => Effect.Effect<ApiKey | undefined>
    /**
     * Puts another secret in, and the one it replaces out, at once; undefined when there is no such key.
     * What `change` leaves neither as `secret_hash` nor as `former_secret` opens nothing from then on.
     * Race: of rotations at once the last one holds, whose `before` is the `after` of the one before it.
     */
    readonly rotate: (
      account: AccountId,
      hash: KeyHash,
      change: (key: ApiKey) => ApiKey
    ) => Effect.Effect<KeyRotation | undefined>
  }
>()("@signalbox/core/auth/ApiKeyStore") {}

/** A key before and after its secret was replaced. */
export interface KeyRotation {
  readonly before: ApiKey
  readonly after: ApiKey
}
