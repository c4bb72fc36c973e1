/** Whose turn it is to give way where all accounts share one memory: whoever has most of it. */
import type { AccountId } from "../../values/ids/AccountId.ts"

export interface FairEviction {
  /** Takes room for one more of `account`; returns who gives up one for it, once there is no room. */
  readonly take: (account: AccountId) => AccountId | undefined
}

/** Room for `capacity`: each of n accounts has at least a whole n-th of it, whatever the others do. */
export const makeFairEviction = (capacity: number): FairEviction => {
  const sizes = new Map<AccountId, number>()
  // So that the largest is found without a search.
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
