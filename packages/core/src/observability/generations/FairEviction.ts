/** Chooses which account loses a record in a shared cache: the one with the most. */
import type { AccountId } from "../../values/ids/AccountId.ts"

export interface FairEviction {
  /** Counts one more for `account`; beyond the capacity, returns the account that must evict one. */
  readonly take: (account: AccountId) => AccountId | undefined
}

/** Each of n accounts keeps at least an n-th of `capacity`, whatever the others do. */
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
    peers?.delete(account)
    if (peers?.size === 0) bySize.delete(before)
    if (after === 0) sizes.delete(account)
    else {
      sizes.set(account, after)
      const others = bySize.get(after)
      if (others === undefined) bySize.set(after, new Set([account]))
      else others.add(account)
    }
    if (after > largest || !bySize.has(largest)) largest = after
    total += by
  }

  return {
    take: (account) => {
      resize(account, 1)
      if (total <= capacity) return undefined
      const [evicted] = bySize.get(largest) ?? []
      if (evicted !== undefined) resize(evicted, -1)
      return evicted
    }
  }
}
