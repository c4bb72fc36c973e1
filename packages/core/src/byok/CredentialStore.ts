/** Where customers' own credentials are kept, their secrets sealed. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { type Draft, memoryTable } from "../memoryTable.ts"
import { rowsBehind } from "../secrets/rowsBehind.ts"
import type { Sealed } from "../secrets/Sealing.ts"
import type { AccountId } from "../values/AccountId.ts"
import { type Page, type Paged, paged } from "../values/Page.ts"
import type { WorkspaceId } from "../values/WorkspaceId.ts"
import { arranged, byOrder, type Moved } from "./arranged.ts"
import type { Credential, Refused } from "./Credential.ts"
import type { KeptCredential } from "./KeptCredential.ts"

/** Keeps customers' own credentials, their secrets sealed. */
export class CredentialStore extends Context.Service<
  CredentialStore,
  {
    readonly find: (account: AccountId, id: string) => Effect.Effect<KeptCredential | undefined>
    /** Those of a workspace and those of every workspace, by `sort_order`, then oldest first. */
    readonly list: (
      account: AccountId,
      scope: CredentialScope,
      page: Page
    ) => Effect.Effect<Paged<KeptCredential>>
    /** See `Count`. */
    readonly count: (account: AccountId, workspace?: string) => Effect.Effect<number>
    /**
     * All of an account that are not disabled, in no order. Asked for every request: an account
     * without any must be cheap.
     */
    readonly enabled: (account: AccountId) => Effect.Effect<ReadonlyArray<KeptCredential>>
    /**
     * Adds it behind the others of its provider. Race: of two added at once, each has a `sort_order`
     * of its own.
     */
    readonly insert: (account: AccountId, kept: NewKeptCredential) => Effect.Effect<KeptCredential>
    /**
     * Adds it, or puts it in the place of the one with its id, which keeps its age, its `sort_order` and,
     * when `isSame` says that the secret is the one it had, its sealed secret and its state.
     */
    readonly put: (
      account: AccountId,
      kept: NewKeptCredential,
      isSame: boolean
    ) => Effect.Effect<KeptCredential>
    /** What `change` makes of it; undefined when there is none. Race: of two changes none is lost. */
    readonly update: (
      account: AccountId,
      id: string,
      change: (kept: KeptCredential) => KeptCredential
    ) => Effect.Effect<KeptCredential | undefined>
    /** With its secret; what was there. */
    readonly remove: (account: AccountId, id: string) => Effect.Effect<KeptCredential | undefined>
    /**
     * Puts these in front of the others of their providers, in this order; the others keep theirs. Gives
     * those that moved; undefined, and nothing moves, when one of them is not there. Race: of two orders
     * at once, the later one moves what the earlier one left.
     */
    readonly arrange: (
      account: AccountId,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Moved> | undefined>
    /** Notes that an upstream refused it, unless its secret has been changed since it was `sealed` so. */
    readonly noteRefused: (
      account: AccountId,
      id: string,
      sealed: Sealed,
      refused: Refused
    ) => Effect.Effect<void>
    /**
     * Of all accounts: those sealed under another key than this one, at most so many, in whatever order; those
     * behind `after` in it, also when that one is gone by now.
     */
    readonly sealedOtherwise: (
      keyId: string,
      after: OwnedCredential | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OwnedCredential>>
    /**
     * Puts `after` in the place of `before`. Race: false, and nothing is done, when the secret was
     * changed or removed in between.
     */
    readonly reseal: (
      account: AccountId,
      id: string,
      before: Sealed,
      after: Sealed
    ) => Effect.Effect<boolean>
  }
>()("@signalbox/core/byok/CredentialStore") {
  static readonly layerMemory: Layer.Layer<CredentialStore, never, MemoryJournal> = Layer.effect(
    CredentialStore,
    Effect.map(MemoryJournal, (journal) => {
      const table = memoryTable<AccountId, Rows>(journal)
      const of = (account: AccountId): Rows => table.rows.get(account) ?? none
      const find = (account: AccountId, id: string): KeptCredential | undefined =>
        of(account).find(hasId(id))

      /** Undefined when there is none, or when `change` leaves it as it is. */
      const change = (
        account: AccountId,
        id: string,
        change: (kept: KeptCredential) => KeptCredential
      ) =>
        table.edit((draft) => {
          const before = draft.get(account)?.find(hasId(id))
          if (before === undefined) return undefined
          const after = change(before)
          replace(draft, account, after)
          return after
        })

      return {
        find: (account, id) => Effect.sync(() => find(account, id)),
        count: (account, workspace) =>
          Effect.sync(() =>
            workspace === undefined
              ? of(account).length
              : of(account).filter(({ credential }) => credential.workspace_id === workspace).length
          ),
        list: (account, scope, page) =>
          Effect.sync(() => paged(of(account).filter(isIn(scope)).toSorted(byOrder), page)),
        enabled: (account) =>
          Effect.sync(() => {
            const rows = of(account)
            return rows.length === 0 ? none : rows.filter(isEnabled)
          }),
        insert: (account, kept) =>
          table.edit((draft) => {
            const rows = draft.get(account) ?? none
            const added = placed(rows, kept)
            draft.set(account, [...rows, added])
            return added
          }),
        put: (account, kept, isSame) =>
          table.edit((draft) => {
            const rows = draft.get(account) ?? none
            const before = rows.find(hasId(kept.credential.id))
            if (before === undefined) {
              const added = placed(rows, kept)
              draft.set(account, [...rows, added])
              return added
            }
            const { created_at, sort_order } = before.credential
            const credential = { ...kept.credential, created_at, sort_order }
            const after = isSame ? { ...before, credential } : { ...kept, credential }
            replace(draft, account, after)
            return after
          }),
        update: change,
        remove: (account, id) =>
          table.edit((draft) => {
            const rows = draft.get(account) ?? none
            const before = rows.find(hasId(id))
            if (before !== undefined) {
              draft.set(
                account,
                rows.filter((row) => row !== before)
              )
            }
            return before
          }),
        arrange: (account, ids) =>
          table.edit((draft) => {
            const rows = draft.get(account) ?? none
            const moved = arranged(rows, ids)
            if (moved === undefined) return undefined
            const places = new Map(moved.map(({ after, id }) => [id, after]))
            draft.set(
              account,
              rows.map((row) => {
                const sort_order = places.get(row.credential.id)
                return sort_order === undefined
                  ? row
                  : { ...row, credential: { ...row.credential, sort_order } }
              })
            )
            return moved
          }),
        noteRefused: (account, id, sealed, refused) =>
          Effect.asVoid(
            change(account, id, (kept) => (isSealed(kept, sealed) ? { ...kept, refused } : kept))
          ),
        sealedOtherwise: (keyId, after, limit) =>
          Effect.sync(() => {
            const all = Array.from(table.rows, ([account, rows]) =>
              rows.flatMap((kept) => (kept.sealed.keyId === keyId ? [] : [{ account, kept }]))
            )
            return rowsBehind(
              all.flat(),
              ({ account, kept }) => JSON.stringify([account, kept.credential.id]),
              after,
              limit
            )
          }),
        reseal: (account, id, before, after) =>
          table.edit((draft) => {
            const kept = draft.get(account)?.find(hasId(id))
            if (kept === undefined || !isSealed(kept, before)) return false
            replace(draft, account, { ...kept, sealed: after })
            return true
          })
      }
    })
  )
}

/** One that has no place among the others yet. */
export type NewKeptCredential = Omit<KeptCredential, "credential" | "refused"> & {
  readonly credential: Omit<Credential, "sort_order">
}

/** A credential together with the account it belongs to. */
export interface OwnedCredential {
  readonly account: AccountId
  readonly kept: KeptCredential
}

/** Which credentials of an account are listed. */
export interface CredentialScope {
  /** Absent: all workspaces. */
  readonly workspace?: WorkspaceId
  readonly provider?: string
}

type Rows = ReadonlyArray<KeptCredential>

const none: Rows = []

const hasId =
  (id: string) =>
  ({ credential }: KeptCredential): boolean =>
    credential.id === id

const isEnabled = ({ credential }: KeptCredential): boolean => !credential.disabled

const isIn =
  ({ provider, workspace }: CredentialScope) =>
  ({ credential }: KeptCredential): boolean =>
    (provider === undefined || credential.provider === provider) &&
    (workspace === undefined ||
      credential.workspace_id === null ||
      credential.workspace_id === workspace)

const isSealed = ({ sealed }: KeptCredential, { box, keyId }: Sealed): boolean =>
  sealed.box === box && sealed.keyId === keyId

const placed = (rows: Rows, { credential, ...kept }: NewKeptCredential): KeptCredential => ({
  ...kept,
  credential: {
    ...credential,
    sort_order: rows.reduce(
      (next, { credential: { provider, sort_order } }) =>
        provider === credential.provider ? Math.max(next, sort_order + 1) : next,
      0
    )
  }
})

const replace = (
  draft: Draft<AccountId, Rows>,
  account: AccountId,
  after: KeptCredential
): void => {
  const rows = draft.get(account) ?? none
  draft.set(
    account,
    rows.map((row) => (row.credential.id === after.credential.id ? after : row))
  )
}
