/** Chooses which account loses a record in a shared cache: the one with the most. */
import type { AccountId } from "../../../values/ids/Ids.ts"

export interface FairEviction {
  /** Counts one more for `account`; beyond the capacity, returns the account that must evict one. */
  readonly take: (account: AccountId) => AccountId | undefined
}

/** Each of n accounts keeps at least an n-th of `capacity`; the others cannot evict that share. */
export const makeFairEviction = (capacity: number): FairEviction => {
  const sizes = new Map<AccountId, number>()
  // An index, to find the largest account without a search.
  const bySize = new Map<number, Set<AccountId>>()
  let total = 0
  let largest = 0

  const resize = (account: AccountId, by: 1 | -1): void => {
    const before = sizes.get(account) ?? 0
    const after = before + by
    const peers = bySize.get(before)
    const others = bySize.get(after)
    const isAlone = peers?.size === 1
    if (isAlone) bySize.delete(before)
    else peers?.delete(account)
    if (after === 0) sizes.delete(account)
    else {
      sizes.set(account, after)
      // An account alone takes its set along, because one account often has them all.
      if (others !== undefined) others.add(account)
      else bySize.set(after, isAlone ? peers : new Set([account]))
    }
    if (after > largest || !bySize.has(largest)) largest = after
    total += by
  }

  return {
    take: (account) => {
      // It would gain one and, having the most then, lose it again.
      if (total === capacity && sizes.get(account) === largest) return account
      resize(account, 1)
      if (total <= capacity) return undefined
      const [evicted] = bySize.get(largest) ?? []
      if (evicted !== undefined) resize(evicted, -1)
      return evicted
    }
  }
}
