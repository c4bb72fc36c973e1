/** Prints the bytes of the cases that have a budget, in a process without the tools of the test runner. */
import { cases } from "../budgets/cases.ts"
import { measureCase } from "../budgets/measureCase.ts"

/** KiB by the name of a case. */
const budgets: Readonly<Record<string, number>> = JSON.parse(process.argv[2] ?? "{}")
const calls = 1_000

const measured: Record<string, number> = {}
for (const each of cases) {
  const budget = budgets[each.name]
  if (budget === undefined) continue
  const { beyond } = await measureCase(each, calls, budget * 1024)
  measured[each.name] = beyond / 1024
}
console.log(JSON.stringify(measured))
process.exit(0)
