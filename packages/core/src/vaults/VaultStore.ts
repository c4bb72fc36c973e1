/** Where vaults and their secrets are kept, the values sealed. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { memoryTable } from "../memoryTable.ts"
import { rowsBehind } from "../secrets/rowsBehind.ts"
import type { Sealed } from "../secrets/Sealing.ts"
import type { AccountId } from "../values/AccountId.ts"
import type { Page } from "../values/Page.ts"
import type { WorkspaceId } from "../values/WorkspaceId.ts"
import type { KeptSecret } from "./Secret.ts"
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
    readonly ofWorkspace: (
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
      secrets: ReadonlyArray<KeptSecret>
    ) => Effect.Effect<ReadonlyArray<PutSecret> | undefined>
    /** Of secrets. See `Count`. */
    readonly count: (account: AccountId, workspace?: string) => Effect.Effect<number>
    /** What was there. Race: of several that remove it, one is given it. */
    readonly remove: (id: VaultId, name: string) => Effect.Effect<KeptSecret | undefined>
    /** Those of these names that are there, all as of one moment, in no order. */
    readonly get: (
      id: VaultId,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<KeptSecret>>
    /** By name, in the order of its characters' codes. None of a vault there is not. */
    readonly list: (id: VaultId, page: Page) => Effect.Effect<SecretPage>
    /** The secrets of these vaults that have exactly this host among theirs, in no order. */
    readonly secretsOf: (
      ids: ReadonlyArray<VaultId>,
      host: string
    ) => Effect.Effect<ReadonlyArray<OwnedSecret>>
    /**
     * Of all accounts: those sealed under another key than this one, at most so many, in whatever order; those
     * behind `after` in it, also when that one is gone by now.
     */
    readonly sealedOtherwise: (
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
      before: Sealed,
      after: Sealed
    ) => Effect.Effect<boolean>
    /** What the fingerprints of a vault are made with; undefined before it has any. */
    readonly findKey: (id: VaultId) => Effect.Effect<Sealed | undefined>
    /**
     * Puts `after` in the place of the key `before`, or where there was none. Race: false, and nothing is done,
     * when it is another one by now, or there is no such vault: of several that find none one puts theirs.
     */
    readonly swapKey: (
      id: VaultId,
      before: Sealed | undefined,
      after: Sealed
    ) => Effect.Effect<boolean>
    /** As `sealedOtherwise`, of the keys of vaults. */
    readonly keysSealedOtherwise: (
      keyId: string,
      after: OwnedKey | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OwnedKey>>
  }
>()("@signalbox/core/vaults/VaultStore") {
  static readonly layerMemory: Layer.Layer<VaultStore, never, MemoryJournal> = Layer.effect(
    VaultStore,
    Effect.map(MemoryJournal, (journal) => {
      const table = memoryTable<VaultId, Row>(journal)
      const secretsIn = (id: VaultId): Secrets => table.rows.get(id)?.secrets ?? none

      return {
        open: (vault) =>
          table.edit((draft) => {
            if (draft.has(vault.id)) return false
            draft.set(vault.id, { vault, secrets: none })
            return true
          }),
        find: (id) => Effect.sync(() => table.rows.get(id)?.vault),
        ofWorkspace: (account, workspace) =>
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
            return { vault: row.vault, secrets: byName(row.secrets) }
          }),
        put: (id, secrets) =>
          table.edit((draft) => {
            const row = draft.get(id)
            if (row === undefined) return undefined
            const rows = new Map(row.secrets)
            const done = secrets.map((secret): PutSecret => {
              const before = rows.get(secret.name)
              const after = replacing(before, secret)
              rows.set(secret.name, after)
              return { before, after }
            })
            draft.set(id, { ...row, secrets: rows })
            return done
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
        get: (id, names) =>
          Effect.sync(() => {
            const secrets = secretsIn(id)
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
            const all = byName(secretsIn(id))
            return { rows: all.slice(offset, offset + limit), hasMore: offset + limit < all.length }
          }),
        secretsOf: (ids, host) =>
          Effect.sync(() =>
            Array.from(new Set(ids)).flatMap((vault) =>
              Array.from(secretsIn(vault).values()).flatMap((secret) =>
                secret.hosts?.includes(host) === true ? [{ vault, secret }] : []
              )
            )
          ),
        sealedOtherwise: (keyId, after, limit) =>
          Effect.sync(() => {
            const rows = Array.from(table.rows, ([vault, { secrets }]) =>
              Array.from(secrets.values()).flatMap((secret) =>
                secret.sealed.keyId === keyId ? [] : [{ vault, secret }]
              )
            )
            return rowsBehind(
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
            if (!isSame(secret.sealed, before)) return false
            const secrets = new Map(row.secrets).set(name, { ...secret, sealed: after })
            draft.set(id, { ...row, secrets })
            return true
          }),
        findKey: (id) => Effect.sync(() => table.rows.get(id)?.key),
        swapKey: (id, before, after) =>
          table.edit((draft) => {
            const row = draft.get(id)
            if (row === undefined || !isSame(row.key, before)) return false
            draft.set(id, { ...row, key: after })
            return true
          }),
        keysSealedOtherwise: (keyId, after, limit) =>
          Effect.sync(() => {
            const rows = Array.from(table.rows, ([vault, { key }]) =>
              key === undefined || key.keyId === keyId ? [] : [{ vault, key }]
            )
            return rowsBehind(rows.flat(), ({ vault }) => vault, after, limit)
          })
      }
    })
  )
}

/** What a vault held when it was closed, by name. */
export interface ClosedVault {
  readonly vault: Vault
  readonly secrets: ReadonlyArray<KeptSecret>
}

/** What putting a secret did. */
export interface PutSecret {
  /** What it replaced. */
  readonly before: KeptSecret | undefined
  /** As it is kept. */
  readonly after: KeptSecret
}

/** A page of secrets, by name. */
export interface SecretPage {
  readonly rows: ReadonlyArray<KeptSecret>
  /** Whether there are more behind them. */
  readonly hasMore: boolean
}

/** A secret together with the vault it lies in. */
export interface OwnedSecret {
  readonly vault: VaultId
  readonly secret: KeptSecret
}

/** The key that the fingerprints of a vault are made with. */
export interface OwnedKey {
  readonly vault: VaultId
  readonly key: Sealed
}

/** By name. */
type Secrets = ReadonlyMap<string, KeptSecret>

interface Row {
  readonly vault: Vault
  readonly key?: Sealed
  readonly secrets: Secrets
}

const none: Secrets = new Map()

const replacing = (before: KeptSecret | undefined, secret: KeptSecret): KeptSecret =>
  before === undefined ? secret : { ...secret, created_at: before.created_at }

const byName = (secrets: Secrets): ReadonlyArray<KeptSecret> =>
  Array.from(secrets.values()).toSorted((self, that) => (self.name < that.name ? -1 : 1))

const isSame = (self: Sealed | undefined, that: Sealed | undefined): boolean =>
  self?.box === that?.box && self?.keyId === that?.keyId
