/** Why a budget does not go with the others of its workspace: longer intervals have larger ones. Source: wire, UpsertWorkspaceBudgetRequest. */
import { InvalidRequest } from "../values/errors/RequestErrors.ts"
import { type Budget, type Interval, toInterval, intervals } from "./Budget.ts"

/** `limit`, in USD, is to be that of `interval`; undefined when it goes with `budgets`. */
export const findBudgetConflict = (
  budgets: ReadonlyArray<Budget>,
  interval: Interval,
  limit: number
): InvalidRequest | undefined => {
  const length = intervals.indexOf(interval)
  for (const budget of budgets) {
    const other = toInterval(budget)
    const isLonger = intervals.indexOf(other) > length
    if (other === interval || (isLonger ? limit < budget.limit_usd : limit > budget.limit_usd)) {
      continue
    }
    return new InvalidRequest({
      path: ["limit_usd"],
      problem: `must be ${isLonger ? "less" : "more"} than the ${other} budget of ${budget.limit_usd} USD`
    })
  }
  return undefined
}
