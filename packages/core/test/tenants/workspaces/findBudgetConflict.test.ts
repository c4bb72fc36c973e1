import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import {
  type Budget,
  type Interval,
  findBudgetConflict,
  intervals
} from "../../../src/tenants/workspaces/Budget.ts"

const budget = (interval: Interval, limit_usd: number): Budget => ({
  id: interval,
  workspace_id: "lab",
  limit_usd,
  reset_interval: interval === "lifetime" ? null : interval,
  created_at: "2026-11-21T00:00:00.000Z",
  updated_at: "2026-11-21T00:00:00.000Z"
})

const limits = fc.integer({ min: 1, max: 4 })

describe("findBudgetConflict", () => {
  it("finds no conflict exactly when limits grow with the interval", () => {
    fc.assert(
      fc.property(
        fc.subarray([...intervals]),
        fc.array(limits, { minLength: 4, maxLength: 4 }),
        fc.constantFrom(...intervals),
        limits,
        (there, given, interval, limit) => {
          const sorted = given.toSorted((one, other) => one - other).map((each, at) => each + at)
          const budgets = there.map((each) => budget(each, sorted[intervals.indexOf(each)] ?? 0))
          const after = intervals.flatMap((each) => {
            if (each === interval) return [limit]
            return budgets.flatMap(({ id, limit_usd }) => (id === each ? [limit_usd] : []))
          })
          const grows = after.every((each, at) => at === 0 || (after[at - 1] ?? 0) < each)
          assert.strictEqual(findBudgetConflict(budgets, interval, limit) === undefined, grows)
        }
      )
    )
  })

  it("names the conflicting budget", () => {
    const budgets = [budget("monthly", 20)]
    assert.deepInclude(findBudgetConflict(budgets, "daily", 20), {
      path: ["limit_usd"],
      problem: "must be less than the monthly budget of 20 USD"
    })
    assert.deepInclude(findBudgetConflict(budgets, "lifetime", 7), {
      path: ["limit_usd"],
      problem: "must be more than the monthly budget of 20 USD"
    })
  })
})
