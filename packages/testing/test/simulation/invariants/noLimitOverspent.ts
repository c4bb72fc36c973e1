/** No limit is overspent, by the sums of the ledger's answers and by the bills of the providers. */
import { tenants, creditsNano, keyLimitNano } from "../Tenant.ts"
import type { World } from "../World.ts"
import { sumBills } from "./bills.ts"

export const noLimitOverspent = (world: World): ReadonlyArray<string> => [
  ...world.book.overspent,
  ...tenants.flatMap(({ account, limited }) => {
    const { delivered: ofKey } = sumBills(world, ({ secret }) => secret === limited)
    const { delivered: ofAccount } = sumBills(world, ({ tenant }) => tenant.account === account)
    return [
      ...(ofKey > keyLimitNano ? [`${limited} has ${ofKey} of ${keyLimitNano}`] : []),
      ...(ofAccount > creditsNano ? [`${account} has ${ofAccount} of ${creditsNano}`] : [])
    ]
  })
]
