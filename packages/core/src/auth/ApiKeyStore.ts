/** Where API keys are kept, and found by what opens them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { type Draft, makeMemoryTable, makeMemoryTables } from "../makeMemoryTable.ts"
import { isSameHash } from "../secrets/hashKey.ts"
import type { AccountId } from "../values/ids/AccountId.ts"
import type { KeyHash } from "../values/ids/KeyHash.ts"
import { type OffsetRequest, type OffsetPage, toOffsetPage } from "../values/pages/OffsetPage.ts"
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
>()("@signalbox/core/auth/ApiKeyStore") {
  static readonly layerMemory: Layer.Layer<ApiKeyStore, never, MemoryJournal> = Layer.effect(
    ApiKeyStore,
    Effect.map(MemoryJournal, (journal) => {
      // One table, so that a key and what opens it change in one write.
      const table = makeMemoryTable<string, KeyRow>(journal)
      /** What names those of each account, which lists them. */
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
        if (before !== undefined)
          for (const secret of listSecretRowIds(before)) draft.delete(secret)
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
              listSecretHashes(key).some((hash) => isSameHash(hash, secret))
              ? key
              : undefined
          }),
        find: (account, hash) => Effect.sync(() => findOwned(account, hash)),
        count: (account, workspace) =>
          Effect.sync(() => {
            const names = accountHashes(account).rows
            if (workspace === undefined) return names.size
            let count = 0
            for (const hash of names.keys()) {
              if (findOwned(account, hash)?.workspace === workspace) count++
            }
            return count
          }),
        list: (account, { includeDisabled, workspace }, page) =>
          Effect.sync(() =>
            toOffsetPage(
              Array.from(accountHashes(account).rows.keys()).flatMap((hash) => {
                const key = findOwned(account, hash)
                return key !== undefined &&
                  (workspace === undefined || key.workspace === workspace) &&
                  (includeDisabled || !key.disabled)
                  ? [key]
                  : []
              }),
              page
            )
          ),
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
                if (isNew) write(draft, key)
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
                draft.set(toKeyRowId(hash), undefined)
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
}

/** A key before and after its secret was replaced. */
export interface KeyRotation {
  readonly before: ApiKey
  readonly after: ApiKey
}

/** A key, undefined for one that was removed, or the id of the key that a secret opens. */
type KeyRow = ApiKey | string | undefined

const toKeyRowId = (hash: KeyHash): string => `key ${hash}`
const toSecretRowId = (secret: KeyHash): string => `secret ${secret}`

const listSecretHashes = ({ former_secret, secret_hash }: ApiKey): ReadonlyArray<KeyHash> =>
  former_secret === null ? [secret_hash] : [secret_hash, former_secret.hash]

const listSecretRowIds = (key: ApiKey): ReadonlyArray<string> =>
  listSecretHashes(key).map(toSecretRowId)
