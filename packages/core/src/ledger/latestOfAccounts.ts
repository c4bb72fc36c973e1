/** What accounts used last, in memory: nobody's is forgotten because of what another account does. */
import type { AccountId } from "../values/AccountId.ts"

export interface LatestOfAccounts<Id, Row> {
  readonly get: (id: Id) => Row | undefined
  /** As what `account` used last. An id is one account's for good. */
  readonly use: (account: AccountId, id: Id, row: Row) => void
  /** Lets go of what `account` used least recently and `mayGo`, until it has no more than are kept. */
  readonly forgetOldest: (account: AccountId, mayGo: (row: Row) => boolean) => void
  /** Lets go of all that `mayGo`, whoever's it is. */
  readonly forget: (mayGo: (row: Row) => boolean) => void
}

/** Keeps so many of each account; of all together as many times that as there are accounts. */
export const latestOfAccounts = <Id, Row>(keptOfEach: number): LatestOfAccounts<Id, Row> => {
  const rows = new Map<Id, Row>()
  /** Least recently used first. */
  const idsOf = new Map<AccountId, Set<Id>>()

  const letGo = (ids: Set<Id>, kept: number, mayGo: (row: Row) => boolean): void => {
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
    use: (account, id, row) => {
      let ids = idsOf.get(account)
      if (ids === undefined) idsOf.set(account, (ids = new Set()))
      ids.delete(id)
      ids.add(id)
      rows.set(id, row)
    },
    forgetOldest: (account, mayGo) => letGo(idsOf.get(account) ?? new Set(), keptOfEach, mayGo),
    forget: (mayGo) => {
      for (const [account, ids] of idsOf) {
        letGo(ids, 0, mayGo)
        if (ids.size === 0) idsOf.delete(account)
      }
    }
  }
}
