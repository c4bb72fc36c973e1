/** Runs the seeds that the command line names, and prints those that break an invariant. */
import type { WorldOptions } from "./World.ts"
import { parseArgs } from "node:util"
import { plantedFaults } from "./faults/plantedFaults.ts"
import { runSeed } from "./runSeed.ts"

/** `program` runs the seeds. `makeStores` is called for each world; default: stores in memory. */
export const printSeeds = async (
  program: string,
  makeStores?: () => Required<Pick<WorldOptions, "stores">>
): Promise<void> => {
  const { values } = parseArgs({
    options: {
      from: { type: "string", default: "1" },
      count: { type: "string", default: "1" },
      /** How many of the last events are printed. */
      trace: { type: "string", default: "0" },
      /** The number of a planted fault; default: none. */
      fault: { type: "string" },
      /** Ends with the first seed that breaks an invariant. */
      first: { type: "boolean", default: false }
    }
  })

  /** Of how many worlds the hashes are printed at most. */
  const maxHashes = 10
  const from = Number(values.from)
  const count = Number(values.count)
  const fault = values.fault === undefined ? undefined : plantedFaults[Number(values.fault)]
  /** Loads what instances load on demand, which takes no virtual time later. */
  await runSeed({ seed: 0, ...makeStores?.() })
  const totals = { seeds: 0, steps: 0, requests: 0, violations: 0, cpuMillis: 0, hashes: "" }
  const startedAt = process.cpuUsage()
  for (let seed = from; seed < from + count; seed++) {
    const report = await runSeed({
      seed,
      ...makeStores?.(),
      traceLines: Number(values.trace),
      ...(fault === undefined ? undefined : { fault })
    })
    totals.seeds++
    if (totals.seeds % 1_000 === 0)
      console.log(JSON.stringify({ progress: totals.seeds, of: count }))
    totals.steps += report.steps
    totals.requests += report.requests
    if (count <= maxHashes) totals.hashes += ` ${report.hash}`
    if (report.trace.length > 0) console.log(report.trace.join("\n"))
    if (report.violations.length === 0) continue
    totals.violations++
    console.log(`seed ${seed} (${report.hash}): node ${program} --from ${seed} --trace 200`)
    for (const { invariant, problem } of report.violations)
      console.log(`  ${invariant}: ${problem}`)
    if (values.first) break
  }
  const { system, user } = process.cpuUsage(startedAt)
  totals.cpuMillis = Math.round((user + system) / 1_000)
  console.log(JSON.stringify(totals))
}
