/** Stores API keys. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId, KeyHash, WorkspaceId } from "../../../values/ids/Ids.ts"
import type { OffsetRequest, OffsetPage } from "../../../values/pages/OffsetPage.ts"
import type { OwnedRows } from "../../../instance/OwnedStore.ts"
import type { ApiKey } from "./ApiKey.ts"

/** Selects keys of an account. */
export interface KeyFilter {
  /** Absent: all workspaces. */
  readonly workspace?: WorkspaceId
  readonly includeDisabled: boolean
  /** Newest first; absent: oldest first. */
  readonly newestFirst?: boolean
}

/**
 * A key is named by its `hash` and found by the hashes of its current and former secret. The store does not check
 * whether a secret is still valid. An update must not change secrets.
 */
export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  OwnedRows<ApiKey, KeyHash> & {
    /** The key whose current or former secret has this hash, compared in constant time. */
    readonly findBySecretHash: (secret: KeyHash) => Effect.Effect<ApiKey | undefined>
    /** Oldest first, unless the filter says otherwise. */
    readonly list: (
      account: AccountId,
      filter: KeyFilter,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<ApiKey>>
    /** Adds a key, or replaces the one with the same hash. */
    readonly put: (key: ApiKey) => Effect.Effect<void>
    /**
     * Adds the key unless a key with this hash exists, or was ensured before and removed. Race: of concurrent calls, one adds it.
     */
    readonly ensure: (key: ApiKey) => Effect.Effect<void>
    /**
     * Replaces the secrets of a key in one step; undefined when it does not exist. Secrets that are neither
     * `secret_hash` nor `former_secret` of the result stop working. Race: of concurrent rotations the last one wins,
     * and its `before` is the `after` of the previous one.
     */
    readonly rotate: (
      account: AccountId,
      hash: KeyHash,
      change: (key: ApiKey) => ApiKey
    ) => Effect.Effect<KeyRotation | undefined>
  }
>()("@signalbox/core/tenants/auth/keys/ApiKeyStore") {}

/** A key before and after a rotation. */
export interface KeyRotation {
  readonly before: ApiKey
  readonly after: ApiKey
}
