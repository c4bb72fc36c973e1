/** VaultStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./MemoryJournal.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"
import { listRowsToReseal } from "../engine/secrets/resealAll.ts"
import type { SealedSecret } from "../engine/secrets/Sealer.ts"
import type { VaultId } from "../domains/vaults/VaultId.ts"
import type { Vault } from "../domains/vaults/Vault.ts"
import {
  type SecretPutResult,
  type StoredSecret,
  VaultStore
} from "../domains/vaults/VaultStore.ts"

export const memoryVaultStore: Layer.Layer<VaultStore, never, MemoryJournal> = Layer.effect(
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
            const isInWorkspace = workspace === undefined || vault.workspace === workspace
            if (vault.account === account && isInWorkspace) count += secrets.size
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
