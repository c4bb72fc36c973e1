/**
 * Prints how much code a warm request runs: files, functions and calls of this repository's packages, on the way from Express
 * to a provider and back. The figures depend on neither the machine nor its load.
 *
 * Usage: node bench/trace.ts [part of a case's name] (with a name, lists the functions too)
 */
import { cases } from "./trace/cases.ts"
import { countCalls, traceCalls } from "./trace/traceCalls.ts"

const [name] = process.argv.slice(2)
const rows: Array<Record<string, string | number>> = []
for (const each of cases) {
  if (name !== undefined && !each.name.includes(name)) continue
  const functions = await traceCalls(each.run)
  rows.push({
    request: each.name,
    files: new Set(functions.map(({ file }) => file)).size,
    functions: functions.length,
    calls: countCalls(functions)
  })
  if (name === undefined) continue
  for (const { calls, file, line, name: called } of functions) {
    console.log(`${String(calls).padStart(5)}  ${file}:${line} ${called}`)
  }
}
console.table(rows)
process.exit(0)
