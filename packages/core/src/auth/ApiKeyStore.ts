/** Where API keys are kept, and found by what opens them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { type Draft, memoryTable, memoryTables } from "../memoryTable.ts"
import { sameHash } from "../secrets/hashKey.ts"
import type { AccountId } from "../values/AccountId.ts"
import type { KeyHash } from "../values/KeyHash.ts"
import { type Page, type Paged, paged } from "../values/Page.ts"
import type { WorkspaceId } from "../values/WorkspaceId.ts"
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
    readonly findByHash: (secret: KeyHash) => Effect.Effect<ApiKey | undefined>
    /** By the hash that names it. */
    readonly find: (account: AccountId, hash: KeyHash) => Effect.Effect<ApiKey | undefined>
    /** Oldest first. */
    readonly list: (
      account: AccountId,
      filter: KeyFilter,
      page: Page
    ) => Effect.Effect<Paged<ApiKey>>
    /** See `Count`. */
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
    ) => Effect.Effect<Rotated | undefined>
  }
>()("@signalbox/core/auth/ApiKeyStore") {
  static readonly layerMemory: Layer.Layer<ApiKeyStore, never, MemoryJournal> = Layer.effect(
    ApiKeyStore,
    Effect.map(MemoryJournal, (journal) => {
      // One table, so that a key and what opens it change in one write.
      const table = memoryTable<string, Row>(journal)
      /** What names those of each account, which lists them. */
      const namesOf = memoryTables<KeyHash, KeyHash>(journal)

      const at = (id: string): ApiKey | undefined => {
        const row = table.rows.get(id)
        return typeof row === "object" ? row : undefined
      }
      const owned = (account: AccountId, hash: KeyHash): ApiKey | undefined => {
        const key = at(named(hash))
        return key?.account === account ? key : undefined
      }

      const write = (draft: Draft<string, Row>, key: ApiKey): void => {
        const before = at(named(key.hash))
        if (before !== undefined) for (const secret of secretsOf(before)) draft.delete(secret)
        draft.set(named(key.hash), key)
        for (const secret of secretsOf(key)) draft.set(secret, named(key.hash))
      }
      const enlist = ({ account, hash }: ApiKey) =>
        namesOf(account).edit((draft) => draft.set(hash, hash))

      return {
        findByHash: (secret) =>
          Effect.sync(() => {
            const id = table.rows.get(opened(secret))
            const key = typeof id === "string" ? at(id) : undefined
            return key !== undefined && hashesOf(key).some((hash) => sameHash(hash, secret))
              ? key
              : undefined
          }),
        find: (account, hash) => Effect.sync(() => owned(account, hash)),
        count: (account, workspace) =>
          Effect.sync(() => {
            const names = namesOf(account).rows
            if (workspace === undefined) return names.size
            let count = 0
            for (const hash of names.keys()) {
              if (owned(account, hash)?.workspace === workspace) count++
            }
            return count
          }),
        list: (account, { includeDisabled, workspace }, page) =>
          Effect.sync(() =>
            paged(
              Array.from(namesOf(account).rows.keys()).flatMap((hash) => {
                const key = owned(account, hash)
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
          journal.atomically(
            Effect.andThen(
              table.edit((draft) => write(draft, key)),
              enlist(key)
            )
          ),
        ensure: (key) =>
          journal.atomically(
            Effect.flatMap(
              table.edit((draft) => {
                const isNew = !draft.has(named(key.hash))
                if (isNew) write(draft, key)
                return isNew
              }),
              (isNew) => (isNew ? enlist(key) : Effect.void)
            )
          ),
        update: (account, hash, change) =>
          table.edit((draft) => {
            const before = owned(account, hash)
            if (before === undefined) return undefined
            const after = change(before)
            draft.set(named(hash), after)
            return after
          }),
        remove: (account, hash) =>
          journal.atomically(
            Effect.tap(
              table.edit((draft) => {
                const before = owned(account, hash)
                if (before === undefined) return undefined
                for (const secret of secretsOf(before)) draft.delete(secret)
                draft.set(named(hash), undefined)
                return before
              }),
              (removed) =>
                removed === undefined
                  ? Effect.void
                  : namesOf(account).edit((draft) => draft.delete(hash))
            )
          ),
        rotate: (account, hash, change) =>
          table.edit((draft) => {
            const before = owned(account, hash)
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
export interface Rotated {
  readonly before: ApiKey
  readonly after: ApiKey
}

/** A key, undefined for one that was removed, or the id of the key that a secret opens. */
type Row = ApiKey | string | undefined

const named = (hash: KeyHash): string => `key ${hash}`
const opened = (secret: KeyHash): string => `secret ${secret}`

const hashesOf = ({ former_secret, secret_hash }: ApiKey): ReadonlyArray<KeyHash> =>
  former_secret === null ? [secret_hash] : [secret_hash, former_secret.hash]

const secretsOf = (key: ApiKey): ReadonlyArray<string> => hashesOf(key).map(opened)
