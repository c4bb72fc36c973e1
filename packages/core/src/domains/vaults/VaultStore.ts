/** Stores vaults and their sealed secrets. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { SealedSecret } from "../../engine/secrets/Sealer.ts"
import type { AccountId, WorkspaceId } from "../../values/ids/Ids.ts"
import type { OffsetRequest } from "../../values/pages/OffsetPage.ts"
import type { Secret } from "./Secret.ts"
import type { VaultId } from "./VaultId.ts"
import type { Vault } from "./Vault.ts"

/** A stored secret with its sealed value. */
export interface StoredSecret extends Secret {
  readonly sealed: SealedSecret
}

/** Stores vaults and their sealed secrets. */
export class VaultStore extends Context.Service<
  VaultStore,
  {
    /** Creates an empty vault. Race: of concurrent calls with one id, one returns true; the others change nothing. */
    readonly open: (vault: Vault) => Effect.Effect<boolean>
    /** Undefined when the vault was never opened, or is closed. */
    readonly find: (id: VaultId) => Effect.Effect<Vault | undefined>
    /** All vaults of a workspace, including the private vaults of interns, in any order. */
    readonly listByWorkspace: (
      account: AccountId,
      workspace: WorkspaceId
    ) => Effect.Effect<ReadonlyArray<Vault>>
    /**
     * Deletes a vault and its secrets; undefined when it does not exist. Race: a concurrent put either succeeds and
     * is among the deleted `secrets`, or fails.
     */
    readonly close: (id: VaultId) => Effect.Effect<ClosedVault | undefined>
    /**
     * Adds or replaces all secrets or none; a replaced secret keeps its `created_at`. Undefined when the vault does not
     * exist. Race: of concurrent puts of one name the last wins, and sees the earlier one as its `before`.
     */
    readonly put: (
      id: VaultId,
      secrets: ReadonlyArray<StoredSecret>
    ) => Effect.Effect<ReadonlyArray<SecretPutResult> | undefined>
    /** Counts secrets. See `CountResources`. */
    readonly count: (account: AccountId, workspace?: string) => Effect.Effect<number>
    /** Returns the removed secret. Race: of concurrent removals, one returns it. */
    readonly remove: (id: VaultId, name: string) => Effect.Effect<StoredSecret | undefined>
    /** The existing secrets among these names, read atomically, in any order. */
    readonly findByNames: (
      id: VaultId,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredSecret>>
    /** Sorted by the code units of the name; empty when the vault does not exist. */
    readonly list: (id: VaultId, page: OffsetRequest) => Effect.Effect<StoredSecretPage>
    /** The secrets of these vaults that list exactly this host, in any order. */
    readonly listByHost: (
      ids: ReadonlyArray<VaultId>,
      host: string
    ) => Effect.Effect<ReadonlyArray<OwnedSecret>>
    /**
     * Secrets of all accounts sealed under another key, at most `limit`, in a fixed order of the store; those after
     * `after`, even when that one does not exist any more.
     */
    readonly listToReseal: (
      keyId: string,
      after: OwnedSecret | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OwnedSecret>>
    /** Race: returns false and changes nothing when the secret was replaced or removed since `before` was read. */
    readonly reseal: (
      id: VaultId,
      name: string,
      before: SealedSecret,
      after: SealedSecret
    ) => Effect.Effect<boolean>
    /** The fingerprint key of a vault; undefined before the first fingerprint. */
    readonly findKey: (id: VaultId) => Effect.Effect<SealedSecret | undefined>
    /**
     * Replaces the key `before`, or adds the first key. Race: returns false and changes nothing when the stored key
     * is not `before`, or the vault does not exist.
     */
    readonly compareAndSetKey: (
      id: VaultId,
      before: SealedSecret | undefined,
      after: SealedSecret
    ) => Effect.Effect<boolean>
    /** Fingerprint keys sealed under another key, in pages like the secrets. */
    readonly listKeysToReseal: (
      keyId: string,
      after: OwnedKey | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OwnedKey>>
  }
>()("@signalbox/core/domains/vaults/VaultStore") {}

/** A closed vault and its secrets, sorted by name. */
export interface ClosedVault {
  readonly vault: Vault
  readonly secrets: ReadonlyArray<StoredSecret>
}

/** The result of a put. */
export interface SecretPutResult {
  /** The replaced secret. */
  readonly before: StoredSecret | undefined
  /** The stored secret. */
  readonly after: StoredSecret
}

/** A page of secrets, sorted by name. */
export interface StoredSecretPage {
  readonly rows: ReadonlyArray<StoredSecret>
  readonly hasMore: boolean
}

/** A secret and its vault. */
export interface OwnedSecret {
  readonly vault: VaultId
  readonly secret: StoredSecret
}

/** The fingerprint key of a vault. */
export interface OwnedKey {
  readonly vault: VaultId
  readonly key: SealedSecret
}
