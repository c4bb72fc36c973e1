/** What accounts used last, in memory: nobody's is forgotten because of what another account does. */
import type { AccountId } from "../values/ids/AccountId.ts"

export interface AccountLru<Id, Row> {
  readonly get: (id: Id) => Row | undefined
  /** As what `account` used last. An id is one account's for good. */
  readonly put: (account: AccountId, id: Id, row: Row) => void
  /** Lets go of what `account` used least recently and `mayGo`, until it has no more than are kept. */
  readonly evictOldest: (account: AccountId, mayGo: (row: Row) => boolean) => void
  /** Lets go of all that `mayGo`, whoever's it is. */
  readonly evict: (mayGo: (row: Row) => boolean) => void
}

/** Keeps so many of each account; of all together as many times that as there are accounts. */
export const makeAccountLru = <Id, Row>(maxPerAccount: number): AccountLru<Id, Row> => {
  const rows = new Map<Id, Row>()
  /** Least recently used first. */
  const idsByAccount = new Map<AccountId, Set<Id>>()

  const evictFrom = (ids: Set<Id>, kept: number, mayGo: (row: Row) => boolean): void => {
    for (const id of ids) {
      if (ids.size <= kept) return
      const row = rows.get(id)
      if (row !== undefined && !mayGo(row)) continue
      ids.delete(id)
      rows.delete(id)
    }
  }

  return {
    get: (id) => rows.get(id),
    put: (account, id, row) => {
      let ids = idsByAccount.get(account)
      if (ids === undefined) idsByAccount.set(account, (ids = new Set()))
      ids.delete(id)
      ids.add(id)
      rows.set(id, row)
    },
    evictOldest: (account, mayGo) =>
      evictFrom(idsByAccount.get(account) ?? new Set(), maxPerAccount, mayGo),
    evict: (mayGo) => {
      for (const [account, ids] of idsByAccount) {
        evictFrom(ids, 0, mayGo)
        if (ids.size === 0) idsByAccount.delete(account)
      }
    }
  }
}
