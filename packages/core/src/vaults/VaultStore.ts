/** Where vaults and their secrets are kept, the values sealed. */
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

/** Keeps vaults and their secrets, sealed. */
export class VaultStore extends Context.Service<
  VaultStore,
  {
    /** Makes a vault, empty. Race: of several that open one id, one is told true; the others change nothing. */
    readonly open: (vault: Vault) => Effect.Effect<boolean>
    /** Undefined when it was never opened, or is closed. */
    readonly find: (id: VaultId) => Effect.Effect<Vault | undefined>
    /** Every vault of a workspace, its own and those of interns, in no order. */
    readonly listByWorkspace: (
      account: AccountId,
      workspace: WorkspaceId
    ) => Effect.Effect<ReadonlyArray<Vault>>
    /**
     * Ends a vault with all its secrets; undefined when there is none. Race: a secret that is put at the
     * same time is either among the `secrets` that are gone, or was not put.
     */
    readonly close: (id: VaultId) => Effect.Effect<ClosedVault | undefined>
    /**
     * Adds each secret, or puts it in the place of the one of its name, which leaves its `created_at` to it:
     * all of them, or none. Undefined, and nothing is put, when there is no such vault. Race: of two that put one name the later one stays, whole; the earlier one is its `before`.
     */
    readonly put: (
      id: VaultId,
      secrets: ReadonlyArray<StoredSecret>
    ) => Effect.Effect<ReadonlyArray<SecretPutResult> | undefined>
    /** Of secrets. See `CountResources`. */
    readonly count: (account: AccountId, workspace?: string) => Effect.Effect<number>
    /** What was there. Race: of several that remove it, one is given it. */
    readonly remove: (id: VaultId, name: string) => Effect.Effect<StoredSecret | undefined>
    /** Those of these names that are there, all as of one moment, in no order. */
    readonly findByNames: (
      id: VaultId,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredSecret>>
    /** By name, in the order of its characters' codes. None of a vault there is not. */
    readonly list: (id: VaultId, page: OffsetRequest) => Effect.Effect<StoredSecretPage>
    /** The secrets of these vaults that have exactly this host among theirs, in no order. */
    readonly listByHost: (
      ids: ReadonlyArray<VaultId>,
      host: string
    ) => Effect.Effect<ReadonlyArray<OwnedSecret>>
    /**
     * Of all accounts: those sealed under another key than this one, at most so many, in whatever order; those
     * behind `after` in it, also when that one is gone by now.
     */
    readonly listToReseal: (
      keyId: string,
      after: OwnedSecret | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OwnedSecret>>
    /**
     * Puts `after` in the place of `before`. Race: false, and nothing is done, when the secret was replaced
     * or removed in between.
     */
    readonly reseal: (
      id: VaultId,
      name: string,
      before: SealedSecret,
      after: SealedSecret
    ) => Effect.Effect<boolean>
    /** What the fingerprints of a vault are made with; undefined before it has any. */
    readonly findKey: (id: VaultId) => Effect.Effect<SealedSecret | undefined>
    /**
     * Puts `after` in the place of the key `before`, or where there was none. Race: false, and nothing is done,
     * when it is another one by now, or there is no such vault: of several that find none one puts theirs.
     */
    readonly compareAndSetKey: (
      id: VaultId,
      before: SealedSecret | undefined,
      after: SealedSecret
    ) => Effect.Effect<boolean>
    /** As `selectRowsToReseal`, of the keys of vaults. */
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

/** What a vault held when it was closed, by name. */
export interface ClosedVault {
  readonly vault: Vault
  readonly secrets: ReadonlyArray<StoredSecret>
}

/** What putting a secret did. */
export interface SecretPutResult {
  /** What it replaced. */
  readonly before: StoredSecret | undefined
  /** As it is kept. */
  readonly after: StoredSecret
}

/** A page of secrets, by name. */
export interface StoredSecretPage {
  readonly rows: ReadonlyArray<StoredSecret>
  /** Whether there are more behind them. */
  readonly hasMore: boolean
}

/** A secret together with the vault it lies in. */
export interface OwnedSecret {
  readonly vault: VaultId
  readonly secret: StoredSecret
}

/** The key that the fingerprints of a vault are made with. */
export interface OwnedKey {
  readonly vault: VaultId
  readonly key: SealedSecret
}

/** By name. */
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
