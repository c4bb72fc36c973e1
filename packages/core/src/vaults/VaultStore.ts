/** Stores vaults and their sealed secrets. A port. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { makeMemoryTable } from "../makeMemoryTable.ts"
import { listRowsToReseal } from "../secrets/listRowsToReseal.ts"
import type { SealedSecret } from "../secrets/Sealer.ts"
import type { AccountId } from "../values/ids/AccountId.ts"
import type { OffsetRequest } from "../values/pages/OffsetPage.ts"
import type { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import type { StoredSecret } from "./Secret.ts"
import type { Vault } from "./Vault.ts"
import type { VaultId } from "./VaultId.ts"

/** Stores vaults and their sealed secrets. */
export class VaultStore extends Context.Service<
  VaultStore,
  {
    /** Creates an empty vault. Race: of concurrent calls with one id, one returns true; the others change nothing. */
    readonly open: (vault: Vault) => Effect.Effect<boolean>
    /** Undefined when the vault was never opened, or is closed. */
    readonly find: (id: VaultId) => Effect.Effect<Vault | undefined>
    /** All vaults of a workspace, including those of interns, in any order. */
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
     * Adds or replaces all secrets or none; a replaced secret keeps its `created_at`. Undefined when the vault does
     * not exist. Race: of concurrent puts of one name the last one wins, with the earlier one as its `before`.
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
    /** Fingerprint keys sealed under another key, in pages like those of secrets. */
    readonly listKeysToReseal: (
      keyId: string,
      after: OwnedKey | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OwnedKey>>
  }
>()("@signalbox/core/vaults/VaultStore") {
  static readonly layerMemory: Layer.Layer<VaultStore, never, MemoryJournal> = Layer.effect(
    VaultStore,
    Effect.map(MemoryJournal, (journal) => {
      const table = makeMemoryTable<VaultId, VaultRow>(journal)
      const getSecrets = (id: VaultId): SecretsByName => table.rows.get(id)?.secrets ?? noSecrets

      return {
        open: (vault) =>
          table.edit((draft) => {
            if (draft.has(vault.id)) return false
            draft.set(vault.id, { vault, secrets: noSecrets })
            return true
          }),
        find: (id) => Effect.sync(() => table.rows.get(id)?.vault),
        listByWorkspace: (account, workspace) =>
          Effect.sync(() =>
            Array.from(table.rows.values()).flatMap(({ vault }) =>
              vault.account === account && vault.workspace === workspace ? [vault] : []
            )
          ),
        close: (id) =>
          table.edit((draft) => {
            const row = draft.get(id)
            if (row === undefined) return undefined
            draft.delete(id)
            return { vault: row.vault, secrets: sortByName(row.secrets) }
          }),
        put: (id, secrets) =>
          table.edit((draft) => {
            const row = draft.get(id)
            if (row === undefined) return undefined
            const rows = new Map(row.secrets)
            const results = secrets.map((secret): SecretPutResult => {
              const before = rows.get(secret.name)
              const after = keepCreatedAt(before, secret)
              rows.set(secret.name, after)
              return { before, after }
            })
            draft.set(id, { ...row, secrets: rows })
            return results
          }),
        remove: (id, name) =>
          table.edit((draft) => {
            const row = draft.get(id)
            const before = row?.secrets.get(name)
            if (row === undefined || before === undefined) return undefined
            const secrets = new Map(row.secrets)
            secrets.delete(name)
            draft.set(id, { ...row, secrets })
            return before
          }),
        findByNames: (id, names) =>
          Effect.sync(() => {
            const secrets = getSecrets(id)
            return Array.from(new Set(names)).flatMap((name) => secrets.get(name) ?? [])
          }),
        count: (account, workspace) =>
          Effect.sync(() => {
            let count = 0
            for (const { secrets, vault } of table.rows.values()) {
              if (
                vault.account === account &&
                (workspace === undefined || vault.workspace === workspace)
              ) {
                count += secrets.size
              }
            }
            return count
          }),
        list: (id, { limit, offset }) =>
          Effect.sync(() => {
            const all = sortByName(getSecrets(id))
            return { rows: all.slice(offset, offset + limit), hasMore: offset + limit < all.length }
          }),
        listByHost: (ids, host) =>
          Effect.sync(() =>
            Array.from(new Set(ids)).flatMap((vault) =>
              Array.from(getSecrets(vault).values()).flatMap((secret) =>
                secret.hosts?.includes(host) === true ? [{ vault, secret }] : []
              )
            )
          ),
        listToReseal: (keyId, after, limit) =>
          Effect.sync(() => {
            const rows = Array.from(table.rows, ([vault, { secrets }]) =>
              Array.from(secrets.values()).flatMap((secret) =>
                secret.sealed.keyId === keyId ? [] : [{ vault, secret }]
              )
            )
            return listRowsToReseal(
              rows.flat(),
              ({ secret, vault }) => JSON.stringify([vault, secret.name]),
              after,
              limit
            )
          }),
        reseal: (id, name, before, after) =>
          table.edit((draft) => {
            const row = draft.get(id)
            const secret = row?.secrets.get(name)
            if (row === undefined || secret === undefined) return false
            if (!isSameSeal(secret.sealed, before)) return false
            const secrets = new Map(row.secrets).set(name, { ...secret, sealed: after })
            draft.set(id, { ...row, secrets })
            return true
          }),
        findKey: (id) => Effect.sync(() => table.rows.get(id)?.key),
        compareAndSetKey: (id, before, after) =>
          table.edit((draft) => {
            const row = draft.get(id)
            if (row === undefined || !isSameSeal(row.key, before)) return false
            draft.set(id, { ...row, key: after })
            return true
          }),
        listKeysToReseal: (keyId, after, limit) =>
          Effect.sync(() => {
            const rows = Array.from(table.rows, ([vault, { key }]) =>
              key === undefined || key.keyId === keyId ? [] : [{ vault, key }]
            )
            return listRowsToReseal(rows.flat(), ({ vault }) => vault, after, limit)
          })
      }
    })
  )
}

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

type SecretsByName = ReadonlyMap<string, StoredSecret>

interface VaultRow {
  readonly vault: Vault
  readonly key?: SealedSecret
  readonly secrets: SecretsByName
}

const noSecrets: SecretsByName = new Map()

const keepCreatedAt = (before: StoredSecret | undefined, secret: StoredSecret): StoredSecret =>
  before === undefined ? secret : { ...secret, created_at: before.created_at }

const sortByName = (secrets: SecretsByName): ReadonlyArray<StoredSecret> =>
  Array.from(secrets.values()).toSorted((self, that) => (self.name < that.name ? -1 : 1))

const isSameSeal = (self: SealedSecret | undefined, that: SealedSecret | undefined): boolean =>
  self?.ciphertext === that?.ciphertext && self?.keyId === that?.keyId
