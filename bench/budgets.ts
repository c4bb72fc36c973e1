/**
 * Prints everything that has a goal beside it, in about half an hour. Runs the other benchmarks one after another, on a
 * machine that should do nothing else.
 *
 * Usage: node bench/budgets.ts [--trial | --quick [requests per round]]
 *   --quick  only the bytes, which hardly depend on the machine or its load; in a few minutes
 *   --trial  everything, but so briefly that the figures mean little
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { figuresVariable, findMissing, printReached, readReached } from "./goals.ts"

interface Benchmark {
  readonly name: string
  /** Arguments of a trial. */
  readonly trial: ReadonlyArray<number>
}

const quick: ReadonlyArray<Benchmark> = [{ name: "bytes", trial: [100] }]
const slow: ReadonlyArray<Benchmark> = [
  { name: "routed-decision", trial: [1, 0.3, 1] },
  { name: "chat", trial: [1, 0.3, 1] },
  { name: "restricted-decision", trial: [2, 0.2, 1] },
  { name: "latency", trial: [2, 1, 1] },
  { name: "start", trial: [1] },
  { name: "stall", trial: [1] },
  { name: "soak", trial: [1] }
]
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean" }, trial: { type: "boolean" } }
})
const isQuick = values.quick === true || positionals.length > 0

const folder = mkdtempSync(join(tmpdir(), "budgets-"))
const file = join(folder, "figures")
for (const { name, trial } of isQuick ? quick : [...quick, ...slow]) {
  console.log(`\n${name}`)
  const program = join(import.meta.dirname, `${name}.ts`)
  const args = values.trial === true ? trial.map(String) : positionals
  const { status } = spawnSync(process.execPath, [program, ...args], {
    stdio: "inherit",
    env: { ...process.env, [figuresVariable]: file }
  })
  if (status !== 0) process.exitCode = 1
}
const reached = readReached(file)
rmSync(folder, { recursive: true })
console.log()
printReached(reached)
if (!isQuick) for (const text of findMissing(reached)) console.log(`not measured: ${text}`)
