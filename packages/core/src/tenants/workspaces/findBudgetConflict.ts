/** Checks that budgets of longer intervals are larger. */
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { type Budget, type Interval, toInterval, intervals } from "./Budget.ts"

/** `limit` is in USD; undefined when there is no conflict. */
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
