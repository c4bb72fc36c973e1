/** Prints the functions of Effect that make or run effects, and that warm requests call: JSON, by the name of a case. */
import { cases } from "../trace/cases.ts"
import { traceCalls } from "../trace/traceCalls.ts"

/** The modules of effects and fibers, and of the services that they see. */
const findModule = (url: string): string | undefined =>
  /\/node_modules\/effect\/dist\/(?:internal\/(?:core|effect)|Context|Effectable)\.js$/
    .exec(url)?.[0]
    .replace(/.*\/dist\//, "")

const names: ReadonlyArray<string> = JSON.parse(process.argv[2] ?? "[]")
const calls: Record<string, Readonly<Record<string, number>>> = {}
for (const { name, run } of cases) {
  if (!names.includes(name)) continue
  const functions = await traceCalls(run, findModule)
  calls[name] = Object.fromEntries(
    functions.map((each) => [`${each.file} ${each.name}`, each.calls])
  )
}
console.log(JSON.stringify(calls))
process.exit(0)
