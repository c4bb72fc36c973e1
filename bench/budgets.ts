/**
 * Prints everything that has a goal beside it, in about 40 minutes. Runs the other benchmarks one after another, on a
 * machine that should do nothing else. Servers get 50,000 requests before they are measured.
 *
 * Usage: node bench/budgets.ts [--trial | --quick [requests per round]]
 *   --quick  only the bytes, which hardly depend on the machine or its load; in a few minutes
 *   --trial  everything, but so briefly that the figures mean little
 *
 * The comparison with another gateway needs `npm ci --prefix bench/peers` once.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { availableParallelism, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { figuresVariable, findMissing, printReached, readReached, warmUpRequests } from "./goals.ts"

interface Benchmark {
  readonly name: string
  /** Arguments of a trial. */
  readonly trial: ReadonlyArray<number>
}

const quick: ReadonlyArray<Benchmark> = [{ name: "bytes", trial: [100] }]
const slow: ReadonlyArray<Benchmark> = [
  { name: "routed-decision", trial: [1, 0.3, 1_000] },
  { name: "chat", trial: [1, 0.3, 1_000] },
  { name: "restricted-decision", trial: [2, 0.2, 1_000] },
  { name: "filters", trial: [2, 20] },
  { name: "cache", trial: [2, 50, 0.2, 1_000] },
  { name: "latency", trial: [2, 1, 1_000] },
  { name: "speech", trial: [50, 100] },
  { name: "peers", trial: [1, 0.3, 1_000] },
  { name: "start", trial: [1] },
  { name: "stall", trial: [1] },
  { name: "endurance", trial: [0.5, 20, 40] }
]
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean" }, trial: { type: "boolean" } }
})
const isQuick = values.quick === true || positionals.length > 0

/** Before the run, as a share of all cores. */
const busyShare = (loadavg()[0] ?? 0) / availableParallelism()
const machine = `Node ${process.version}, ${availableParallelism()} cores, ${Math.round(busyShare * 100)} % of them busy before`
console.log(`${machine}${busyShare > 0.1 ? ": too busy for times and their ratios" : ""}`)

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
const warmUp =
  values.trial === true ? "a trial" : `${warmUpRequests} requests of warm-up to each server`
console.log(`\n${machine}; ${warmUp}`)
printReached(reached)
if (!isQuick) for (const text of findMissing(reached)) console.log(`not measured: ${text}`)
