/** Prints the functions of Effect that make or run effects, and that warm requests call: JSON, by the name of a case. */
import { cases } from "../trace/cases.ts"
import { findEffectModule, traceCalls } from "../trace/traceCalls.ts"

const names: ReadonlyArray<string> = JSON.parse(process.argv[2] ?? "[]")
const calls: Record<string, Readonly<Record<string, number>>> = {}
for (const { name, run } of cases) {
  if (!names.includes(name)) continue
  const functions = await traceCalls(run, findEffectModule)
  calls[name] = Object.fromEntries(
    functions.map((each) => [`${each.file} ${each.name}`, each.calls])
  )
}
console.log(JSON.stringify(calls))
process.exit(0)
