/** No external user spends more than the budget of each user, by the bills of the providers. */
import { externalUsers, userBudgetNano } from "../features/userBudgets.ts"
import { tenants } from "../Tenant.ts"
import type { World } from "../World.ts"
import { sumBills } from "./bills.ts"

export const noUserOverspends = (world: World): ReadonlyArray<string> =>
  tenants.flatMap(({ account }) =>
    externalUsers.flatMap((user) => {
      const { delivered } = sumBills(
        world,
        (exchange) => exchange.tenant.account === account && exchange.user === user
      )
      return delivered > userBudgetNano
        ? [`${user} of ${account} has ${delivered} of ${userBudgetNano}`]
        : []
    })
  )
