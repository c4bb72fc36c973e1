/**
 * Prints the bytes that one request allocates, and how many of them are beyond a hand-written pass-through. Bytes hardly
 * depend on the machine or its load.
 *
 * Usage: node bench/bytes.ts [requests per round] (needs Node 26)
 */
import { cases } from "./budgets/cases.ts"
import { canMeasureBytes } from "./budgets/measureBytes.ts"
import { measureCase } from "./budgets/measureCase.ts"
import { findWorst, type GoalName, report } from "./goals.ts"

const [calls = 3_000] = process.argv.slice(2).map(Number)
if (!canMeasureBytes) throw new Error("this Node does not count allocated bytes; use Node 26")

const kibibytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`

const rows: Array<Record<string, string>> = []
const figures = new Map<GoalName, Array<{ readonly value: number; readonly where: string }>>()
for (const each of cases) {
  const { allocated, base, beyond } = await measureCase(each, calls)
  const figure = { value: beyond / 1024, where: each.name }
  figures.set(each.goal, [...(figures.get(each.goal) ?? []), figure])
  rows.push({
    request: each.name,
    allocated: kibibytes(allocated),
    "pass-through": base === 0 ? "-" : kibibytes(base),
    "beyond it": kibibytes(beyond) + (each.events === undefined ? "" : " an event")
  })
}
console.table(rows)
report(...Array.from(figures, ([goal, all]) => findWorst(goal, all)))
process.exit(0)
