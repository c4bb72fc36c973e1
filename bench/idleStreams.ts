/**
 * Measures the memory of a streamed chat that is open and has no events, beside a hand-written pass-through. It is the heap after a
 * forced garbage collection, divided by the streams; others before them warm up the server.
 *
 * Usage: node bench/idleStreams.ts [streams]
 */
import type { Socket } from "node:net"
import { report } from "./goals.ts"
import { firstEvents, tokenEvent } from "./load/answers.ts"
import { openIdleStreams } from "./openIdleStreams.ts"
import { Program } from "./Program.ts"
import { startListener } from "./startListener.ts"

const [streams = 5_000] = process.argv.slice(2).map(Number)

const warmUpStreams = 1_000

/** Begins each stream, and never ends one. */
const upstream = await startListener((request, response) => {
  request.resume()
  request.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(firstEvents)
    response.write(tokenEvent)
  })
})
const measure = async (name: string): Promise<{ heap: number; rss: number }> => {
  const program = await Program.start<{ readonly port: number }>(`servers/${name}.ts`, {
    flags: ["--expose-gc"],
    env: { UPSTREAM_PORT: String(upstream.port) }
  })
  const open: Array<Socket> = []
  const openMore = async (count: number) => {
    open.push(...(await openIdleStreams(program.hello.port, count)))
    return program.ask<{ heapBytes: number; rssBytes: number }>("heap")
  }
  const before = await openMore(warmUpStreams)
  const after = await openMore(streams)
  const closed = open.filter((socket) => socket.destroyed).length
  if (closed > 0) throw new Error(`${name} closed ${closed} of ${open.length} streams`)
  for (const socket of open) socket.destroy()
  await program.stop()
  return {
    heap: (after.heapBytes - before.heapBytes) / streams / 1_000,
    rss: (after.rssBytes - before.rssBytes) / streams / 1_000
  }
}

const base = await measure("pass-through-node")
const own = await measure("signalbox-many")
upstream.stop()
console.table({ "pass-through": base, signalbox: own })
report({ goal: "idleStreamBytes", value: own.heap - base.heap, where: `${streams} streams` })
