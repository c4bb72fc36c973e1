/**
 * Measures the p99 that Signalbox adds to a pass-through on the same host, at 200 requests a second that arrive at fixed
 * times. The two take turns.
 *
 * Usage: node bench/latency.ts [rounds] [seconds per round] [requests of warm-up] [requests a second]
 */
import { findWorst, report, warmUpRequests } from "./goals.ts"
import { type Server, startLoadBench, startServer, warmUpServer } from "./load/compareServers.ts"
import type { Achieved, OpenLoad } from "./load/loadProgram.ts"
import type { WorkloadName } from "./load/workloads.ts"
import { median } from "./quantile.ts"

const [rounds = 10, seconds = 5, warmUp = warmUpRequests, perSecond = 200] = process.argv
  .slice(2)
  .map(Number)

const bench = await startLoadBench()
const base = await startServer("pass-through-node", bench)
const measured = await startServer("signalbox-node", bench)

const run = ({ program }: Server, workload: WorkloadName): Promise<Achieved> => {
  const { port } = program.hello
  const load: OpenLoad = { port, workload, perSecond, millis: seconds * 1_000 }
  return bench.client.ask(load)
}

const compare = async (workload: WorkloadName) => {
  for (const server of [base, measured]) {
    await warmUpServer(bench, server, { workload, connections: 8 }, warmUp)
  }
  const results = new Map<Server, Array<Achieved>>([base, measured].map((server) => [server, []]))
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [base, measured] : [measured, base]
    for (const server of order) results.get(server)?.push(await run(server, workload))
  }
  const pick = (server: Server, name: "p50" | "p99"): number =>
    median(results.get(server)?.map((achieved) => achieved[name]) ?? [])
  return {
    workload,
    addedP50: pick(measured, "p50") - pick(base, "p50"),
    addedP99: pick(measured, "p99") - pick(base, "p99"),
    p99: `${pick(measured, "p99").toFixed(2)}, ${pick(base, "p99").toFixed(2)}`
  }
}

const rows = [await compare("decision"), await compare("chat")]
for (const { program } of [base, measured]) await program.stop()
await bench.stop()

console.table(
  rows.map(({ addedP50, addedP99, p99, workload }) => ({
    workload,
    "added p50 ms": addedP50.toFixed(2),
    "added p99 ms": addedP99.toFixed(2),
    "p99 ms": p99
  }))
)
report(
  findWorst(
    "addedP99",
    rows.map(({ addedP99, workload }) => ({ value: addedP99, where: workload }))
  )
)
