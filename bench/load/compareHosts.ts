/** Compares Signalbox with the pass-through on every host, and prints and reports the ratios. */
import { type GoalName, report, warmUpRequests } from "../goals.ts"
import { canPin } from "../Program.ts"
import {
  type Comparison,
  compareServers,
  type RoundsOptions,
  startLoadBench,
  startServer
} from "./compareServers.ts"
import type { WorkloadName } from "./workloads.ts"

/**
 * Which host serves Signalbox, which the pass-through, and how many requests or streams at once. The goals are for the
 * first pair: our leanest adapter beside the framework that people write a pass-through with.
 */
const pairs = [
  { host: "node", base: "fastify", concurrencies: [16] },
  ...["node", "express", "fastify"].map((host) => ({ host, base: host, concurrencies: [1, 8, 64] }))
]

export interface HostWorkload {
  readonly workload: WorkloadName
  readonly throughput: GoalName
  readonly cpu: GoalName
}

interface Row extends Comparison {
  readonly host: string
  /** The host of the pass-through. */
  readonly beside: string
  readonly workload: WorkloadName
  readonly connections: number
}

/** `BENCH_PAIRS=1` limits the comparison to the first pair. */
const chosenPairs = pairs.slice(0, Number(process.env["BENCH_PAIRS"] ?? pairs.length))

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
  for (const { base, concurrencies, host } of chosenPairs) {
    const servers = [
      await startServer(`pass-through-${base}`, bench),
      await startServer(`signalbox-${host}`, bench)
    ] as const
    for (const { workload } of workloads) {
      for (const [position, connections] of concurrencies.toReversed().entries()) {
        // The first has optimized the code for the others.
        const warmUp = position === 0 ? options.warmUp : Math.min(options.warmUp, 100)
        const load = { workload, connections }
        const comparison = await compareServers(bench, servers, load, { ...options, warmUp })
        rows.push({ host, beside: base, workload, connections, ...comparison })
      }
    }
    for (const { program } of servers) await program.stop()
  }
  await bench.stop()

  console.table(
    rows.map(
      ({ base, beside, connections, cpu, host, loadCpu, measured, throughput, workload }) => ({
        host,
        "pass-through on": beside,
        workload,
        "at once": connections,
        "throughput (pass-through = 1)": throughput.toFixed(2),
        "CPU (pass-through = 1)": cpu.toFixed(2),
        "a second": `${Math.round(measured.perSecond)} of ${Math.round(base.perSecond)}`,
        "CPU us": `${measured.cpuMicros.toFixed(1)}, ${base.cpuMicros.toFixed(1)}`,
        "first byte, p50 ms": `${measured.firstP50.toFixed(2)}, ${base.firstP50.toFixed(2)}`,
        "load's core": loadCpu.toFixed(2)
      })
    )
  )
  report(
    ...workloads.flatMap(({ cpu, throughput, workload }) => {
      const first = rows.find((row) => row.workload === workload)
      const where = first && `${first.host} beside ${first.beside}, ${first.connections} at once`
      const toReached = (goal: GoalName, value = Number.NaN) => ({
        goal,
        value,
        ...(where === undefined ? undefined : { where })
      })
      return [toReached(throughput, first?.throughput), toReached(cpu, first?.cpu)]
    })
  )
}
