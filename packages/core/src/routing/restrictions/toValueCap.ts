/** The caps of a budget that counts each value by itself. Pure. */
import type * as Limit from "../../engine/ledger/Limit.ts"
import {
  type BudgetScope,
  describeValue,
  type ScopedBudget
} from "../../tenants/workspaces/ScopedBudget.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import { toBudgetCap } from "./makeCapBuilder.ts"

/** Names the values of a scope among those of an account; `renameSubject.ts` reads it. */
export const toValueKey = (account: AccountId, { external_user, tag = {} }: BudgetScope): string =>
  JSON.stringify([
    "value",
    account,
    external_user ?? null,
    ...Object.entries(tag).toSorted(([one], [other]) => (one < other ? -1 : 1))
  ])

/** The cap of one value; `key` tells it from others. */
export const toValueCap = (
  account: AccountId,
  budget: ScopedBudget,
  scope: BudgetScope,
  key: string
): Limit.LimitDefinition => ({
  ...toBudgetCap(account, { ...budget, scope, name: describeValue(budget, scope) }),
  id: JSON.stringify([account, budget.id, key])
})

/** The cap of all values without a counter of their own. */
export const toSharedCap = (account: AccountId, budget: ScopedBudget): Limit.LimitDefinition => {
  const { external_user: _, ...scope } = budget.scope
  return {
    ...toBudgetCap(account, { ...budget, scope, name: `${budget.name}, other values` }),
    id: JSON.stringify([account, budget.id, "others"])
  }
}
