/** ApiKeyStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./MemoryJournal.ts"
import { type Draft, makeMemoryTable, makeMemoryTables } from "./makeMemoryTable.ts"
import { isSameSecret } from "../engine/secrets/hashKey.ts"
import type { AccountId, KeyHash } from "../values/ids/Ids.ts"
import { toOffsetPage } from "../values/pages/OffsetPage.ts"
import type { ApiKey } from "../tenants/auth/keys/ApiKey.ts"
import { ApiKeyStore } from "../tenants/auth/keys/ApiKeyStore.ts"

export const memoryApiKeyStore: Layer.Layer<ApiKeyStore, never, MemoryJournal> = Layer.effect(
  ApiKeyStore,
  Effect.map(MemoryJournal, (journal) => {
    // One table, so that a key and the index of its secrets change in one write.
    const table = makeMemoryTable<string, KeyRow>(journal)
    /** The hashes of the keys of each account, for lists. */
    const accountHashes = makeMemoryTables<KeyHash, KeyHash>(journal)

    const findRow = (id: string): ApiKey | undefined => {
      const row = table.rows.get(id)
      return typeof row === "object" ? row : undefined
    }
    const findOwned = (account: AccountId, hash: KeyHash): ApiKey | undefined => {
      const key = findRow(toKeyRowId(hash))
      return key?.account === account ? key : undefined
    }

    const write = (draft: Draft<string, KeyRow>, key: ApiKey): void => {
      const before = findRow(toKeyRowId(key.hash))
      if (before !== undefined) for (const secret of listSecretRowIds(before)) draft.delete(secret)
      draft.set(toKeyRowId(key.hash), key)
      for (const secret of listSecretRowIds(key)) draft.set(secret, toKeyRowId(key.hash))
    }
    const indexByAccount = ({ account, hash }: ApiKey) =>
      accountHashes(account).edit((draft) => draft.set(hash, hash))

    return {
      findBySecretHash: (secret) =>
        Effect.sync(() => {
          const id = table.rows.get(toSecretRowId(secret))
          const key = typeof id === "string" ? findRow(id) : undefined
          return key !== undefined &&
            listSecretHashes(key).some((hash) => isSameSecret(hash, secret))
            ? key
            : undefined
        }),
      find: (account, hash) => Effect.sync(() => findOwned(account, hash)),
      count: (account, workspace) =>
        Effect.sync(() =>
          Iterable.countBy(
            accountHashes(account).rows.keys(),
            (hash) => workspace === undefined || findOwned(account, hash)?.workspace === workspace
          )
        ),
      list: (account, { includeDisabled, newestFirst = false, workspace }, page) =>
        Effect.sync(() => {
          const found = Array.from(accountHashes(account).rows.keys()).flatMap((hash) => {
            const key = findOwned(account, hash)
            return key !== undefined &&
              (workspace === undefined || key.workspace === workspace) &&
              (includeDisabled || !key.disabled)
              ? [key]
              : []
          })
          return toOffsetPage(newestFirst ? found.toReversed() : found, page)
        }),
      put: (key) =>
        journal.withTransaction(
          Effect.andThen(
            table.edit((draft) => write(draft, key)),
            indexByAccount(key)
          )
        ),
      ensure: (key) =>
        journal.withTransaction(
          Effect.flatMap(
            table.edit((draft) => {
              const isNew = !draft.has(toKeyRowId(key.hash))
              if (isNew) {
                write(draft, key)
                draft.set(toEnsuredRowId(key.hash), true)
              }
              return isNew
            }),
            (isNew) => (isNew ? indexByAccount(key) : Effect.void)
          )
        ),
      update: (account, hash, change) =>
        table.edit((draft) => {
          const before = findOwned(account, hash)
          if (before === undefined) return undefined
          const after = change(before)
          draft.set(toKeyRowId(hash), after)
          return after
        }),
      remove: (account, hash) =>
        journal.withTransaction(
          Effect.tap(
            table.edit((draft) => {
              const before = findOwned(account, hash)
              if (before === undefined) return undefined
              for (const secret of listSecretRowIds(before)) draft.delete(secret)
              // Other keys are random and never ensured, so nothing of them stays.
              if (draft.has(toEnsuredRowId(hash))) draft.set(toKeyRowId(hash), undefined)
              else draft.delete(toKeyRowId(hash))
              return before
            }),
            (removed) =>
              removed === undefined
                ? Effect.void
                : accountHashes(account).edit((draft) => draft.delete(hash))
          )
        ),
      rotate: (account, hash, change) =>
        table.edit((draft) => {
          const before = findOwned(account, hash)
          if (before === undefined) return undefined
          const after = change(before)
          write(draft, after)
          return { before, after }
        })
    }
  })
)

/** A key, undefined for a removed one, the id of the key that a secret opens, or that a key was ensured. */
type KeyRow = ApiKey | string | true | undefined

const toKeyRowId = (hash: KeyHash): string => `key ${hash}`

const toEnsuredRowId = (hash: KeyHash): string => `ensured ${hash}`

const toSecretRowId = (secret: KeyHash): string => `secret ${secret}`

const listSecretHashes = ({ former_secret, secret_hash }: ApiKey): ReadonlyArray<KeyHash> =>
  former_secret === null ? [secret_hash] : [secret_hash, former_secret.hash]

const listSecretRowIds = (key: ApiKey): ReadonlyArray<string> =>
  listSecretHashes(key).map(toSecretRowId)
