/** An LRU cache with a share per account, so that no account evicts the rows of another. */
import type { AccountId } from "../../values/ids/Ids.ts"

export interface AccountLru<Id, Row> {
  readonly get: (id: Id) => Row | undefined
  /**
   * Marks the row as the most recently used of `account`, unless the account uses less than half of its share, where
   * nothing is evicted before it is used again. An id belongs to one account for good.
   */
  readonly put: (account: AccountId, id: Id, row: Row) => void
  /** Changes ids of rows of `account` to unused ones; returns how many changed. */
  readonly rename: (account: AccountId, toId: (id: Id) => Id) => number
  /** Evicts the least recently used rows of `account` that `mayGo`, down to its share. */
  readonly evictOldest: (account: AccountId, mayGo: (row: Row) => boolean) => void
  /** Evicts all rows that `mayGo`, of every account. */
  readonly evict: (mayGo: (row: Row) => boolean) => void
}

/** Keeps up to `maxPerAccount` rows of each account. */
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
      if (ids.size * 2 >= maxPerAccount) ids.delete(id)
      ids.add(id)
      rows.set(id, row)
    },
    rename: (account, toId) => {
      let renamed = 0
      const ids = Array.from(idsByAccount.get(account) ?? [], (id) => {
        const next = toId(id)
        const row = rows.get(id)
        if (next === id || row === undefined) return id
        rows.delete(id)
        rows.set(next, row)
        renamed++
        return next
      })
      if (renamed > 0) idsByAccount.set(account, new Set(ids))
      return renamed
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
