/**
 * Measures whether the heap grows during minutes of mixed traffic at 300 requests a second: Decisions, chats, streams,
 * errors, clients that leave, and management calls. The heap is what is left after a forced garbage collection; its slope
 * comes from least squares over the samples after the first 60,000 requests, in which V8 compiles and stores fill.
 *
 * Usage: node bench/soak.ts [minutes] [requests a second]
 */
import { fitLine, type Point } from "./fitLine.ts"
import { report } from "./goals.ts"
import { startLoadBench, startServer } from "./load/compareServers.ts"
import type { SoakLoad, Tally } from "./load/soakProgram.ts"
import { Program } from "./Program.ts"

const [minutes = 10, perSecond = 300] = process.argv.slice(2).map(Number)
const samples = 120
/** In minutes; brief runs use their second half. */
const settledAfter = Math.min(60_000 / perSecond / 60, minutes / 2)
/** 95 % of a normal distribution are within as many standard errors. */
const deviations = 1.96

const bench = await startLoadBench()
const { program } = await startServer("soak-node", bench, { flags: ["--expose-gc"] })
const client = await Program.start("load/soakProgram.ts")

const started = performance.now()
const heap: Array<Point> = []
let rss = 0
const sample = async (): Promise<void> => {
  const measured = await program.ask<{ heapBytes: number; rssBytes: number }>("heap")
  heap.push([(performance.now() - started) / 60_000, measured.heapBytes / 1_000])
  rss = measured.rssBytes / 1024 / 1024
}
const load: SoakLoad = { port: program.hello.port, perSecond, millis: minutes * 60_000 }
const running = client.ask<Tally>(load)
for (let taken = 1; taken <= samples; taken++) {
  const wait = (taken * load.millis) / samples - (performance.now() - started)
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)))
  await sample()
}
const tally = await running
await client.stop()
await program.stop()
await bench.stop()

console.table(
  Object.entries(tally).flatMap(([kind, statuses]) =>
    Object.entries(statuses).map(([status, count]) => ({
      kind,
      status,
      count
    }))
  )
)
const settled = heap.filter(([minute]) => minute > settledAfter)
const { slope, standardError } = fitLine(settled)
const megabytes = settled.map(([, kilobytes]) => kilobytes / 1_000)
const line = `${slope.toFixed(1)} +- ${(deviations * standardError).toFixed(1)} kB a minute`
console.log(
  `heap: ${Math.min(...megabytes).toFixed(1)} to ${Math.max(...megabytes).toFixed(1)} MB, slope ${line}; RSS at the end: ${rss.toFixed(0)} MiB`
)
report({ goal: "heapSlope", value: slope, where: line })
