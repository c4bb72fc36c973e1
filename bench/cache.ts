/**
 * Measures what the cache of responses costs and saves: chats in process that do not use it, that it answers, and that it
 * stores; hits over HTTP beside a hand-written pass-through; requests that are the same at once; and each store. Compare ratios,
 * because absolute times depend on the machine.
 *
 * Usage: node bench/cache.ts [rounds] [chats per round] [seconds per round over HTTP] [requests of warm-up]
 * Uses the Postgres of DATABASE_URL, or starts that of the tests; and `redis-server`, where it is installed.
 */
import { compareChats } from "./cache/compareChats.ts"
import { countFlights } from "./cache/countFlights.ts"
import { measureStores } from "./cache/measureStores.ts"
import { findWorst, report, warmUpRequests } from "./goals.ts"
import { compareServers, startLoadBench, startServer } from "./load/compareServers.ts"

const [rounds = 15, chats = 1_000, seconds = 0.7, warmUp = warmUpRequests] = process.argv
  .slice(2)
  .map(Number)

const compared = await compareChats(rounds, chats)
console.table(
  compared.map(({ beyond, kibibytes, micros, name, ratio }) => ({
    "chat in process": name,
    "CPU us": micros.toFixed(1),
    "CPU, no cache = 1": ratio.toFixed(2),
    KiB: kibibytes.toFixed(1),
    "KiB beyond no cache": beyond.toFixed(1)
  }))
)

const bench = await startLoadBench()
const servers = [
  await startServer("pass-through-node", bench),
  await startServer("caching-node", bench)
] as const
const hits = []
for (const workload of ["chat", "together"] as const) {
  const load = { workload, connections: 16 }
  const comparison = await compareServers(bench, servers, load, { rounds, seconds, warmUp })
  hits.push({ workload, ...comparison })
}
for (const { program } of servers) await program.stop()
await bench.stop()
console.table(
  hits.map(({ base, cpu, measured, throughput, workload }) => ({
    "hits over HTTP": workload === "chat" ? "whole" : "100 events",
    "throughput (pass-through = 1)": throughput.toFixed(2),
    "CPU (pass-through = 1)": cpu.toFixed(2),
    "a second": `${Math.round(measured.perSecond)} of ${Math.round(base.perSecond)}`,
    "CPU us": `${measured.cpuMicros.toFixed(1)}, ${base.cpuMicros.toFixed(1)}`
  }))
)

console.table(await countFlights(rounds, 100))
console.table(await measureStores(chats))

const [, ...unused] = compared.slice(0, 3)
report(
  findWorst(
    "unusedCache",
    unused.map(({ name, ratio }) => ({ value: ratio, where: name }))
  ),
  { goal: "hitCpu", value: hits[0]?.cpu ?? Number.NaN }
)
process.exit(0)
