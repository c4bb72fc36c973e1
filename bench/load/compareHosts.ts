/** Compares Signalbox with the pass-through on every host, and prints and reports the ratios. */
import { findWorst, type GoalName, report, warmUpRequests } from "../goals.ts"
import { canPin } from "../Program.ts"
import {
  type Comparison,
  compareServers,
  type RoundsOptions,
  startLoadBench,
  startServer
} from "./compareServers.ts"
import type { WorkloadName } from "./workloads.ts"

const hosts = ["node", "express", "fastify"]
/** Requests or streams at once. */
const concurrencies = [1, 8, 64]

export interface HostWorkload {
  readonly workload: WorkloadName
  readonly throughput: GoalName
  readonly cpu: GoalName
}

interface Row extends Comparison {
  readonly host: string
  readonly workload: WorkloadName
  readonly connections: number
}

/** `BENCH_HOSTS` and `BENCH_CONNECTIONS` limit the comparison, as in `BENCH_HOSTS=node`. */
const readList = (variable: string, all: ReadonlyArray<string>): ReadonlyArray<string> =>
  process.env[variable]?.split(",") ?? all

/** Arguments of the command line: rounds, seconds of each, requests of warm-up. */
export const readRounds = ([
  rounds = 7,
  seconds = 0.7,
  warmUp = warmUpRequests
]: ReadonlyArray<number>) => ({ rounds, seconds, warmUp }) satisfies RoundsOptions

export const compareHosts = async (
  workloads: ReadonlyArray<HostWorkload>,
  options: RoundsOptions
): Promise<void> => {
  if (!canPin)
    console.log("The servers and the load may share a core, because `taskset` is missing.")
  const bench = await startLoadBench()
  const rows: Array<Row> = []
  for (const host of readList("BENCH_HOSTS", hosts)) {
    const servers = [
      await startServer(`pass-through-${host}`, bench),
      await startServer(`signalbox-${host}`, bench)
    ] as const
    for (const { workload } of workloads) {
      const loads = readList("BENCH_CONNECTIONS", concurrencies.map(String)).toReversed()
      for (const [position, text] of loads.entries()) {
        const connections = Number(text)
        // The first has optimized the code for the others.
        const warmUp = position === 0 ? options.warmUp : Math.min(options.warmUp, 100)
        const load = { workload, connections }
        const comparison = await compareServers(bench, servers, load, { ...options, warmUp })
        rows.push({ host, workload, connections, ...comparison })
      }
    }
    for (const { program } of servers) await program.stop()
  }
  await bench.stop()

  console.table(
    rows.map(({ base, connections, cpu, host, loadCpu, measured, throughput, workload }) => ({
      host,
      workload,
      "at once": connections,
      "throughput (pass-through = 1)": throughput.toFixed(2),
      "CPU (pass-through = 1)": cpu.toFixed(2),
      "a second": `${Math.round(measured.perSecond)} of ${Math.round(base.perSecond)}`,
      "CPU us": `${measured.cpuMicros.toFixed(1)}, ${base.cpuMicros.toFixed(1)}`,
      "first byte, p50 ms": `${measured.firstP50.toFixed(2)}, ${base.firstP50.toFixed(2)}`,
      "load's core": loadCpu.toFixed(2)
    }))
  )
  report(
    ...workloads.flatMap(({ cpu, throughput, workload }) => {
      const own = rows.filter((row) => row.workload === workload)
      const toFigures = (name: "cpu" | "throughput") =>
        own.map((row) => ({ value: row[name], where: `${row.host}, ${row.connections} at once` }))
      return [findWorst(throughput, toFigures("throughput")), findWorst(cpu, toFigures("cpu"))]
    })
  )
}
