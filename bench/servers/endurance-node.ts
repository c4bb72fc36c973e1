/** Signalbox in node:http for many open streams beside other traffic; reports its heap, its event loop and what it dropped. */
import { createServer } from "node:http"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import { getHeapSpaceStatistics } from "node:v8"
import { signalbox } from "@signalbox/node"
import { makeInstance } from "./makeInstance.ts"

interface Heap {
  readonly heapBytes: number
  /** Compiled code and what belongs to it, which is part of the heap. */
  readonly codeBytes: number
}

/** What the server was since it was last asked. */
export interface EnduranceSample extends Heap {
  readonly rssBytes: number
  readonly loopP99Millis: number
  readonly loopMaxMillis: number
  /** Records and usage that no longer fitted in a queue, since the start. */
  readonly dropped: number
}

// Small stores, so that full ones are measured.
const instance = await makeInstance({
  keys: [{ key: "sk-bench-management", kind: "management" }],
  settings: {
    maxGenerations: 500,
    maxFailedRequests: 500,
    maxAuditEntriesPerAccount: 100,
    maxUpstreamConnections: 20_000,
    streamIdleTimeoutMillis: 3_600_000
  }
})
/** Instructions, and the bytecode and metadata of functions. */
const codeSpaces = new Set([
  "code_space",
  "code_large_object_space",
  "trusted_space",
  "trusted_large_object_space"
])
const loop = monitorEventLoopDelay({ resolution: 10 })
loop.enable()

/** Needs `--expose-gc`. Not of the last resort: that throws compiled code away, and V8 compiles it again for minutes. */
const collectGarbage = (): Heap => {
  globalThis.gc?.({ execution: "sync", type: "major" })
  const codeBytes = getHeapSpaceStatistics()
    .filter(({ space_name }) => codeSpaces.has(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0)
  return { heapBytes: process.memoryUsage().heapUsed, codeBytes }
}

/** The least of several collections, because keepalives that are just being written to thousands of streams are no growth. */
const measureHeap = async (): Promise<Heap> => {
  let least = collectGarbage()
  for (let collected = 1; collected < 5; collected++) {
    await setTimeout(700)
    const heap = collectGarbage()
    if (heap.heapBytes < least.heapBytes) least = heap
  }
  return least
}

/** The collections hold up the event loop, so its delay is read before. */
const measure = async (): Promise<EnduranceSample> => {
  const [loopP99Millis, loopMaxMillis] = [loop.percentile(99) / 1e6, loop.max / 1e6]
  const heap = await measureHeap()
  const { rss } = process.memoryUsage()
  const { queues, storage } = await instance.health()
  const dropped = [...Object.values(queues).flat(), ...storage.queues].reduce(
    (sum, queue) => sum + queue.dropped,
    0
  )
  loop.reset()
  return { ...heap, rssBytes: rss, loopP99Millis, loopMaxMillis, dropped }
}

process.on("message", () => void measure().then((sample) => process.send?.(sample)))
process.on("disconnect", () => process.exit())
const server = createServer(signalbox(instance))
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.({ port: typeof address === "object" ? address?.port : undefined })
})
