/**
 * Keeps idle streams open while mixed traffic runs beside them, and prints every minute the heap after a forced garbage
 * collection, the delay of the event loop, and the records that were dropped. The slope of the heap comes from least squares over
 * the samples after the first 60,000 requests, in which V8 compiles and stores fill; brief runs use their second half.
 *
 * Usage: node bench/endurance.ts [minutes] [idle streams] [requests a second]
 */
import { fitLine, type Point } from "./fitLine.ts"
import { startLoadBench, startServer } from "./load/compareServers.ts"
import type { SoakLoad, Tally } from "./load/soakProgram.ts"
import { openIdleStreams } from "./openIdleStreams.ts"
import { Program } from "./Program.ts"
import type { EnduranceSample } from "./servers/endurance-node.ts"

const [minutes = 10, streams = 5_000, perSecond = 300] = process.argv.slice(2).map(Number)
const settledAfter = Math.min(60_000 / perSecond / 60, minutes / 2)
/** 95 % of a normal distribution are within as many standard errors. */
const deviations = 1.96
/** Brief runs take more samples, because a slope needs three. */
const sampleMillis = Math.min(60_000, (minutes * 60_000) / 10)

const bench = await startLoadBench()
const { program } = await startServer("endurance-node", bench, { flags: ["--expose-gc"] })
const client = await Program.start("load/soakProgram.ts")
const open = await openIdleStreams(program.hello.port, streams)

const load: SoakLoad = { port: program.hello.port, perSecond, millis: minutes * 60_000 }
const started = performance.now()
const running = client.ask<Tally>(load)
const heap: Array<Point> = []
const rows: Array<object> = []
for (let taken = 0; taken * sampleMillis <= load.millis; taken++) {
  const wait = taken * sampleMillis - (performance.now() - started)
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)))
  const { dropped, heapBytes, loopMaxMillis, loopP99Millis, rssBytes } =
    await program.ask<EnduranceSample>("measure")
  const minute = (performance.now() - started) / 60_000
  heap.push([minute, heapBytes / 1_000])
  const row = {
    minute: minute.toFixed(1),
    "heap, MB": (heapBytes / 1e6).toFixed(1),
    "RSS, MB": (rssBytes / 1e6).toFixed(0),
    "event loop p99, ms": loopP99Millis.toFixed(1),
    "max, ms": loopMaxMillis.toFixed(1),
    "dropped records": dropped,
    "closed streams": open.filter((socket) => socket.destroyed).length
  }
  rows.push(row)
  console.log(JSON.stringify(row))
}
const tally = await running
for (const socket of open) socket.destroy()
await client.stop()
await program.stop()
await bench.stop()

console.table(rows)
console.table(
  Object.entries(tally).flatMap(([kind, statuses]) =>
    Object.entries(statuses).map(([status, count]) => ({ kind, status, count }))
  )
)
const { slope, standardError } = fitLine(heap.filter(([minute]) => minute > settledAfter))
console.log(
  `${streams} idle streams, ${perSecond} requests a second: heap ${slope.toFixed(1)} +- ${(deviations * standardError).toFixed(1)} kB a minute`
)
