/** CredentialStore in the memory of this process. */
import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./MemoryJournal.ts"
import { type Draft, makeMemoryTable } from "./makeMemoryTable.ts"
import { listRowsToReseal } from "../engine/secrets/resealAll.ts"
import type { SealedSecret } from "../engine/secrets/Sealer.ts"
import type { AccountId } from "../values/ids/Ids.ts"
import { toOffsetPage } from "../values/pages/OffsetPage.ts"
import type { SealedCredential } from "../tenants/byok/UsableCredential.ts"
import {
  compareSortOrder,
  CredentialStore,
  type NewSealedCredential,
  type CredentialScope,
  reorder
} from "../tenants/byok/CredentialStore.ts"

export const memoryCredentialStore: Layer.Layer<CredentialStore, never, MemoryJournal> =
  Layer.effect(
    CredentialStore,
    Effect.map(MemoryJournal, (journal) => {
      const table = makeMemoryTable<AccountId, Rows>(journal)
      const listRows = (account: AccountId): Rows => table.rows.get(account) ?? none
      const find = (account: AccountId, id: string): SealedCredential | undefined =>
        listRows(account).find(hasId(id))

      /** Undefined when the credential does not exist. */
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
          Effect.sync(
            () =>
              listRows(account).filter(
                ({ credential }) => workspace === undefined || credential.workspace_id === workspace
              ).length
          ),
        list: (account, scope, page) =>
          Effect.sync(() =>
            toOffsetPage(
              listRows(account).filter(isInScope(scope)).toSorted(compareSortOrder),
              page
            )
          ),
        listEnabled: (account) => Effect.succeed(filterEnabled(listRows(account))),
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
            const others = rows.filter((row) => !hasId(id)(row))
            if (others.length < rows.length) draft.set(account, others)
            return rows.find(hasId(id))
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
          Effect.map(
            change(account, id, (kept) =>
              isSealedAs(kept, before) ? { ...kept, sealed: after } : kept
            ),
            (kept) => kept?.sealed === after
          )
      }
    })
  )

type Rows = ReadonlyArray<SealedCredential>

const none: Rows = []

const hasId =
  (id: string) =>
  ({ credential }: SealedCredential): boolean =>
    credential.id === id

const isEnabled = ({ credential }: SealedCredential): boolean => !credential.disabled

/** Memoized, because every request asks, and rows are immutable. */
const filterEnabled = memoize((rows: Rows): Rows => rows.filter(isEnabled))

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
