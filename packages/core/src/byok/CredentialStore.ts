/** Where customers' own credentials are kept, their secrets sealed. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { type Draft, makeMemoryTable } from "../makeMemoryTable.ts"
import { listRowsToReseal } from "../secrets/listRowsToReseal.ts"
import type { SealedSecret } from "../secrets/Sealer.ts"
import type { AccountId } from "../values/ids/AccountId.ts"
import { type OffsetRequest, type OffsetPage, toOffsetPage } from "../values/pages/OffsetPage.ts"
import type { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import { reorder, compareSortOrder, type OrderChange } from "./reorder.ts"
import type { Credential, RefusalRecord } from "./Credential.ts"
import type { SealedCredential } from "./SealedCredential.ts"

/** Keeps customers' own credentials, their secrets sealed. */
export class CredentialStore extends Context.Service<
  CredentialStore,
  {
    readonly find: (account: AccountId, id: string) => Effect.Effect<SealedCredential | undefined>
    /** Those of a workspace and those of every workspace, by `sort_order`, then oldest first. */
    readonly list: (
      account: AccountId,
      scope: CredentialScope,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<SealedCredential>>
    /** See `CountResources`. */
    readonly count: (account: AccountId, workspace?: string) => Effect.Effect<number>
    /**
     * All of an account that are not disabled, in no order. Asked for every request: an account
     * without any must be cheap.
     */
    readonly listEnabled: (account: AccountId) => Effect.Effect<ReadonlyArray<SealedCredential>>
    /**
     * Adds it behind the others of its provider. Race: of two added at once, each has a `sort_order`
     * of its own.
     */
    readonly insert: (
      account: AccountId,
      kept: NewSealedCredential
    ) => Effect.Effect<SealedCredential>
    /**
     * Adds it, or puts it in the place of the one with its id, which keeps its age, its `sort_order` and,
     * when `isSame` says that the secret is the one it had, its sealed secret and its state.
     */
    readonly put: (
      account: AccountId,
      kept: NewSealedCredential,
      isSame: boolean
    ) => Effect.Effect<SealedCredential>
    /** What `change` makes of it; undefined when there is none. Race: of two changes none is lost. */
    readonly update: (
      account: AccountId,
      id: string,
      change: (kept: SealedCredential) => SealedCredential
    ) => Effect.Effect<SealedCredential | undefined>
    /** With its secret; what was there. */
    readonly remove: (account: AccountId, id: string) => Effect.Effect<SealedCredential | undefined>
    /**
     * Puts these in front of the others of their providers, in this order; the others keep theirs. Gives
     * those that moved; undefined, and nothing moves, when one of them is not there. Race: of two orders
     * at once, the later one moves what the earlier one left.
     */
    readonly reorder: (
      account: AccountId,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<OrderChange> | undefined>
    /** Notes that an upstream refused it, unless its secret has been changed since it was `sealed` so. */
    readonly recordRefusal: (
      account: AccountId,
      id: string,
      sealed: SealedSecret,
      refused: RefusalRecord
    ) => Effect.Effect<void>
    /**
     * Of all accounts: those sealed under another key than this one, at most so many, in whatever order; those
     * behind `after` in it, also when that one is gone by now.
     */
    readonly listToReseal: (
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
      before: SealedSecret,
      after: SealedSecret
    ) => Effect.Effect<boolean>
  }
>()("@signalbox/core/byok/CredentialStore") {
  static readonly layerMemory: Layer.Layer<CredentialStore, never, MemoryJournal> = Layer.effect(
    CredentialStore,
    Effect.map(MemoryJournal, (journal) => {
      const table = makeMemoryTable<AccountId, Rows>(journal)
      const listRows = (account: AccountId): Rows => table.rows.get(account) ?? none
      const find = (account: AccountId, id: string): SealedCredential | undefined =>
        listRows(account).find(hasId(id))

      /** Undefined when there is none, or when `change` leaves it as it is. */
      const change = (
        account: AccountId,
        id: string,
        change: (kept: SealedCredential) => SealedCredential
      ) =>
        table.edit((draft) => {
          const before = draft.get(account)?.find(hasId(id))
          if (before === undefined) return undefined
          const after = change(before)
          replaceRow(draft, account, after)
          return after
        })

      return {
        find: (account, id) => Effect.sync(() => find(account, id)),
        count: (account, workspace) =>
          Effect.sync(() =>
            workspace === undefined
              ? listRows(account).length
              : listRows(account).filter(({ credential }) => credential.workspace_id === workspace)
                  .length
          ),
        list: (account, scope, page) =>
          Effect.sync(() =>
            toOffsetPage(
              listRows(account).filter(isInScope(scope)).toSorted(compareSortOrder),
              page
            )
          ),
        listEnabled: (account) =>
          Effect.sync(() => {
            const rows = listRows(account)
            return rows.length === 0 ? none : rows.filter(isEnabled)
          }),
        insert: (account, kept) =>
          table.edit((draft) => {
            const rows = draft.get(account) ?? none
            const added = addSortOrder(rows, kept)
            draft.set(account, [...rows, added])
            return added
          }),
        put: (account, kept, isSame) =>
          table.edit((draft) => {
            const rows = draft.get(account) ?? none
            const before = rows.find(hasId(kept.credential.id))
            if (before === undefined) {
              const added = addSortOrder(rows, kept)
              draft.set(account, [...rows, added])
              return added
            }
            const { created_at, sort_order } = before.credential
            const credential = { ...kept.credential, created_at, sort_order }
            const after = isSame ? { ...before, credential } : { ...kept, credential }
            replaceRow(draft, account, after)
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
        reorder: (account, ids) =>
          table.edit((draft) => {
            const rows = draft.get(account) ?? none
            const moved = reorder(rows, ids)
            if (moved === undefined) return undefined
            const sortOrders = new Map(moved.map(({ after, id }) => [id, after]))
            draft.set(
              account,
              rows.map((row) => {
                const sort_order = sortOrders.get(row.credential.id)
                return sort_order === undefined
                  ? row
                  : { ...row, credential: { ...row.credential, sort_order } }
              })
            )
            return moved
          }),
        recordRefusal: (account, id, sealed, refusal) =>
          Effect.asVoid(
            change(account, id, (kept) => (isSealedAs(kept, sealed) ? { ...kept, refusal } : kept))
          ),
        listToReseal: (keyId, after, limit) =>
          Effect.sync(() => {
            const all = Array.from(table.rows, ([account, rows]) =>
              rows.flatMap((kept) => (kept.sealed.keyId === keyId ? [] : [{ account, row: kept }]))
            )
            return listRowsToReseal(
              all.flat(),
              ({ account, row: kept }) => JSON.stringify([account, kept.credential.id]),
              after,
              limit
            )
          }),
        reseal: (account, id, before, after) =>
          table.edit((draft) => {
            const kept = draft.get(account)?.find(hasId(id))
            if (kept === undefined || !isSealedAs(kept, before)) return false
            replaceRow(draft, account, { ...kept, sealed: after })
            return true
          })
      }
    })
  )
}

/** One that has no place among the others yet. */
export type NewSealedCredential = Omit<SealedCredential, "credential" | "refused"> & {
  readonly credential: Omit<Credential, "sort_order">
}

/** A credential together with the account it belongs to. */
export interface OwnedCredential {
  readonly account: AccountId
  readonly row: SealedCredential
}

/** Which credentials of an account are listed. */
export interface CredentialScope {
  /** Absent: all workspaces. */
  readonly workspace?: WorkspaceId
  readonly provider?: string
}

type Rows = ReadonlyArray<SealedCredential>

const none: Rows = []

const hasId =
  (id: string) =>
  ({ credential }: SealedCredential): boolean =>
    credential.id === id

const isEnabled = ({ credential }: SealedCredential): boolean => !credential.disabled

const isInScope =
  ({ provider, workspace }: CredentialScope) =>
  ({ credential }: SealedCredential): boolean =>
    (provider === undefined || credential.provider === provider) &&
    (workspace === undefined ||
      credential.workspace_id === null ||
      credential.workspace_id === workspace)

const isSealedAs = ({ sealed }: SealedCredential, { ciphertext, keyId }: SealedSecret): boolean =>
  sealed.ciphertext === ciphertext && sealed.keyId === keyId

const addSortOrder = (
  rows: Rows,
  { credential, ...kept }: NewSealedCredential
): SealedCredential => ({
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

const replaceRow = (
  draft: Draft<AccountId, Rows>,
  account: AccountId,
  after: SealedCredential
): void => {
  const rows = draft.get(account) ?? none
  draft.set(
    account,
    rows.map((row) => (row.credential.id === after.credential.id ? after : row))
  )
}
