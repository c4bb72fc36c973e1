/**
 * Keeps idle streams open while mixed traffic runs beside them, and prints every minute the heap after a forced garbage
 * collection, the delay of the event loop, and the records that were dropped. The traffic pauses for each sample, because requests
 * under way have more of the heap than the slope to find. The slope comes from least squares over the samples after the first
 * 60,000 requests, in which V8 compiles and stores fill; brief runs use their second half.
 *
 * Flags of Node for the server, such as `--no-opt --no-maglev --no-sparkplug`, tell the growth of code from that of the rest.
 *
 * Usage: node bench/endurance.ts [minutes] [idle streams] [requests a second] [flags of Node]
 */
import { fitLine, type Point } from "./fitLine.ts"
import { report } from "./goals.ts"
import { startLoadBench, startServer } from "./load/compareServers.ts"
import type { SoakLoad, Tally } from "./load/soakProgram.ts"
import { openIdleStreams } from "./openIdleStreams.ts"
import { Program } from "./Program.ts"
import type { EnduranceSample } from "./servers/endurance-node.ts"

const [minutes = 10, streams = 5_000, perSecond = 300] = process.argv.slice(2, 5).map(Number)
const settledAfter = Math.min(60_000 / perSecond / 60, minutes / 2)
/** 95 % of a normal distribution are within as many standard errors. */
const deviations = 1.96
/** Brief runs take more samples, because a slope needs three. */
const sampleMillis = Math.min(60_000, (minutes * 60_000) / 10)
/** Until then, what clients left has ended. Connections to the upstream stay open for 30 seconds without a request. */
const pauseMillis = 6_000

const bench = await startLoadBench()
const { program } = await startServer("endurance-node", bench, {
  flags: ["--expose-gc", ...process.argv.slice(5)]
})
const client = await Program.start("load/soakProgram.ts")
const open = await openIdleStreams(program.hello.port, streams)

const load: SoakLoad = { port: program.hello.port, perSecond, millis: sampleMillis }
const heap: Array<Point> = []
const withoutCode: Array<Point> = []
const rows: Array<object> = []
const tally: Tally = {}
for (let taken = 1; taken * sampleMillis <= minutes * 60_000; taken++) {
  addTally(tally, await client.ask<Tally>(load))
  await new Promise((resolve) => setTimeout(resolve, pauseMillis))
  const sample = await program.ask<EnduranceSample>("measure")
  const { codeBytes, dropped, heapBytes, loopMaxMillis, loopP99Millis, rssBytes } = sample
  /** Of traffic. */
  const minute = (taken * sampleMillis) / 60_000
  heap.push([minute, heapBytes / 1_000])
  withoutCode.push([minute, (heapBytes - codeBytes) / 1_000])
  const row = {
    minute: minute.toFixed(1),
    "heap, MB": (heapBytes / 1e6).toFixed(2),
    "of it code, MB": (codeBytes / 1e6).toFixed(2),
    "RSS, MB": (rssBytes / 1e6).toFixed(0),
    "event loop p99, ms": loopP99Millis.toFixed(1),
    "max, ms": loopMaxMillis.toFixed(1),
    "dropped records": dropped,
    "closed streams": open.filter((socket) => socket.destroyed).length
  }
  rows.push(row)
  console.log(JSON.stringify(row))
}
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
const fit = (points: ReadonlyArray<Point>) => {
  const { slope, standardError } = fitLine(points.filter(([minute]) => minute > settledAfter))
  return {
    slope,
    text: `${slope.toFixed(1)} +- ${(deviations * standardError).toFixed(1)} kB a minute`
  }
}
const { slope, text } = fit(heap)
console.log(
  `${streams} idle streams, ${perSecond} requests a second: heap ${text}, without compiled code ${fit(withoutCode).text}`
)
report({ goal: "heapSlope", value: slope, where: text })

function addTally(sum: Tally, more: Tally): void {
  for (const [kind, statuses] of Object.entries(more)) {
    const known = (sum[kind] ??= {})
    for (const [status, count] of Object.entries(statuses)) {
      known[status] = (known[status] ?? 0) + count
    }
  }
}
