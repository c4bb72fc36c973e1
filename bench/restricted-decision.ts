/**
 * Compares a Decision without restrictions with one under all of them: an account setting, credits, a key limit, a workspace
 * budget, and three guardrails with lists and budgets. The latter has no customer credentials, credentials that do not
 * match, or credentials that match. Runs over HTTP, and in process on an in-memory upstream. Compare ratios, because
 * absolute times depend on the machine.
 *
 * Usage: node bench/restricted-decision.ts [rounds] [seconds per round] [requests of warm-up]
 */
import { report, warmUpRequests } from "./goals.ts"
import { compareServers, startLoadBench, startServer } from "./load/compareServers.ts"
import { Program } from "./Program.ts"
import { median } from "./quantile.ts"

const [rounds = 15, seconds = 0.5, warmUp = warmUpRequests] = process.argv.slice(2).map(Number)
const connections = 8
const everything = "credentials"
const policies = ["all but credentials", "credentials of others", everything]

interface Row {
  readonly where: string
  readonly policies: string
  readonly cpu: number
  readonly cpuMicros: number
  readonly baseMicros: number
}

const compareOverHttp = async (): Promise<ReadonlyArray<Row>> => {
  const bench = await startLoadBench()
  const start = (POLICIES: string) => startServer("restricted-node", bench, { env: { POLICIES } })
  const rows: Array<Row> = []
  for (const policy of policies) {
    // A new process each time, so that V8 has optimized neither server longer than the other.
    const base = await start("none")
    const restricted = await start(policy)
    const load = { workload: "decision", connections } as const
    const options = { rounds, seconds, warmUp }
    const comparison = await compareServers(bench, [base, restricted], load, options)
    rows.push({
      where: "HTTP",
      policies: policy,
      cpu: comparison.cpu,
      cpuMicros: comparison.measured.cpuMicros,
      baseMicros: comparison.base.cpuMicros
    })
    await restricted.program.stop()
    await base.program.stop()
  }
  await bench.stop()
  return rows
}

const startProcess = (POLICIES: string) =>
  Program.start("servers/restricted-process.ts", { core: 0, env: { POLICIES } })

const compareInProcess = async (): Promise<ReadonlyArray<Row>> => {
  const decisions = 1_000
  const run = async (program: Program): Promise<number> => {
    const { cpuMicros } = await program.ask<{ readonly cpuMicros: number }>(decisions)
    return cpuMicros / decisions
  }
  const rows: Array<Row> = []
  for (const policy of policies) {
    const base = await startProcess("none")
    const restricted = await startProcess(policy)
    for (let done = 0; done < warmUp; done += decisions) {
      await run(base)
      await run(restricted)
    }
    const pairs: Array<readonly [number, number]> = []
    for (let round = 0; round < rounds; round++) {
      pairs.push([await run(base), await run(restricted)])
    }
    rows.push({
      where: "in process",
      policies: policy,
      cpu: median(pairs.map(([one, other]) => other / one)),
      cpuMicros: median(pairs.map(([, other]) => other)),
      baseMicros: median(pairs.map(([one]) => one))
    })
    await restricted.stop()
    await base.stop()
  }
  return rows
}

const overHttp = await compareOverHttp()
console.table(
  [...overHttp, ...(await compareInProcess())].map(
    ({ baseMicros, cpu, cpuMicros, policies, where }) => ({
      where,
      policies,
      "CPU (none = 1)": cpu.toFixed(2),
      "CPU us/request": `${cpuMicros.toFixed(1)}, ${baseMicros.toFixed(1)}`
    })
  )
)
const value = overHttp.find(({ policies }) => policies === everything)?.cpu ?? Number.NaN
report({ goal: "restricted", value })
